import { type FieldFeature, field } from '@sav/field'
import { type Insight, insight } from '@sav/insight'
import { type Moving, moving } from '@sav/moving'
import { type PeopleFeature, type PeopleOptions, people } from '@sav/people'
import { type PlanningFeature, type PlanningOptions, planning } from '@sav/planning'

/** The type of every feature: `Sav<AllFeatures>` is the service with all of them. */
export type AllFeatures = FieldFeature | Insight | Moving | PeopleFeature | PlanningFeature

/** Every feature. Each one comes after the features that it needs. */
export const allFeatures = (options: { readonly people?: PeopleOptions; readonly planning?: PlanningOptions } = {}) =>
  [people(options.people), planning(options.planning), field(), insight(), moving()] as const
