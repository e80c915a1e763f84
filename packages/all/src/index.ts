import { type Insight, insight } from '@sav/insight'

/** All of them, as a type: `Sav<AllFeatures>` is the service with every feature. */
export type AllFeatures = Insight

/** Every feature, in an order in which each comes after those that it builds on. */
export const allFeatures = () => [insight()] as const
