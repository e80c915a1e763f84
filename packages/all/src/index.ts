import { type Insight, insight } from '@sav/insight'
import { type Moving, moving } from '@sav/moving'

/** All of them, as a type: `Sav<AllFeatures>` is the service with every feature. */
export type AllFeatures = Insight | Moving

/** Every feature, in an order in which each comes after those that it builds on. */
export const allFeatures = () => [insight(), moving()] as const
