import { allFeatures } from '../../packages/all/src/index.js'
import { sentencesOf } from '../../packages/core/src/composition.js'

/** The sentence of each refusal: of the core, and of every feature. */
export const sentences = sentencesOf(allFeatures())
