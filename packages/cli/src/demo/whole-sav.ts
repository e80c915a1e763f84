import type { AllFeatures } from '@sav/all'
import type { Sav } from '@sav/core'

/** The service with every feature. */
export type WholeSav = Sav<AllFeatures>
