import { type FieldFeature, field } from '@sav/field'
import { type Insight, insight } from '@sav/insight'
import { type Moving, moving } from '@sav/moving'
import { type PeopleFeature, type PeopleOptions, people } from '@sav/people'
import { type PlanningFeature, type PlanningOptions, planning } from '@sav/planning'

/** All of them, as a type: `Sav<AllFeatures>` is the service with every feature. */
export type AllFeatures = FieldFeature | Insight | Moving | PeopleFeature | PlanningFeature

/** Every feature, in an order in which each comes after those that it builds on. */
export const allFeatures = (options: { readonly people?: PeopleOptions; readonly planning?: PlanningOptions } = {}) =>
  [people(options.people), planning(options.planning), field(), insight(), moving()] as const
