import { allFeatures } from '../../packages/all/src/index.js'
import type { Sentences } from '../../packages/core/src/refusals/reason.js'
import { sentences as ofTheCore } from '../../packages/core/src/refusals/sentences.js'

/** The sentence of each refusal: of the core, and of every feature. */
export const sentences: Sentences = Object.assign({}, ofTheCore, ...allFeatures().map((feature) => feature.sentences))
