import { allFeatures } from '@sav/all'
import { sentencesOf } from '@sav/core/feature'

/** The sentence of each refusal, by its code. */
export const sentences = sentencesOf(allFeatures())
