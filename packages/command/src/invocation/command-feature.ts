import type { Feature, PermissionDeclarations } from '@sav/core/feature'
import type { LoadedFeature, LoadFeatures } from '../settings/settings.js'
import type { CommandGroup } from './command-group.js'
import type { FirstQuestion } from './context.js'

/** A feature for a command: created by `commandFeature`. */
export interface CommandFeature<F extends Feature = never> {
  readonly name: string
  /** Its permissions, for help and completion. */
  readonly permissions?: PermissionDeclarations
  /** The names of its kinds of events, for help and completion. */
  readonly events?: readonly string[]
  /** Its groups of commands. */
  readonly commands?: readonly CommandGroup[]
  /** Loads its parts of the service. Called by the first command that opens the store. */
  readonly load: () => Promise<LoadedFeature<F>>
  readonly firstQuestion?: FirstQuestion
}

/**
 * A feature for `createCommand`. Its operations get the service that it is part of, so its type is no longer needed.
 */
export const commandFeature = <F extends Feature>(feature: CommandFeature<F>): CommandFeature =>
  feature as CommandFeature

/** @param features each after those that it builds on */
export function loadingOf(features: readonly CommandFeature[]): LoadFeatures {
  let loaded: ReturnType<LoadFeatures> | undefined
  return () => {
    loaded ??= Promise.all(features.map(({ load }) => load()))
    return loaded
  }
}
