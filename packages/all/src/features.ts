import { type FieldFeature, field } from '@sav/field'
import { type Insight, insight } from '@sav/insight'
import { type Moving, moving } from '@sav/moving'

/** All of them, as a type: `Sav<AllFeatures>` is the service with every feature. */
export type AllFeatures = FieldFeature | Insight | Moving

/** Every feature, in an order in which each comes after those that it builds on. */
export const allFeatures = () => [field(), insight(), moving()] as const
