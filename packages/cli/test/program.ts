import { loadingOf } from '../../command/src/invocation/command-feature.js'
import { createProgram as programOf } from '../../command/src/program.js'
import type { LoadFeatures } from '../../command/src/settings/settings.js'
import { whole } from '../src/features.js'

type Parts = Parameters<typeof programOf>[0]

/** The syntax of `sav`, with every feature. */
export const createProgram = (io: Parts['io'], execute: Parts['execute'], argv: readonly string[] = []) =>
  programOf({ ...whole, io, execute, argv })

/** The features of `sav`. */
export const features: LoadFeatures = loadingOf(whole.features)
