import type { Feature, PermissionDeclarations } from '@sav/core/feature'
import type { LoadedFeature, LoadFeatures } from '../settings/settings.js'
import type { CommandGroup } from './command-group.js'
import type { FirstQuestion } from './context.js'

/** A feature that `createCommand` can include. Created by `commandFeature`. */
export interface CommandFeature<F extends Feature = never> {
  readonly name: string
  /** The feature's permissions, for help and completion. */
  readonly permissions?: PermissionDeclarations
  /** The names of the feature's kinds of events, for help and completion. */
  readonly events?: readonly string[]
  /** The feature's groups of commands. */
  readonly commands?: readonly CommandGroup[]
  /** Loads the feature's parts of a service. Called by the first command that opens the store. */
  readonly load: () => Promise<LoadedFeature<F>>
  readonly firstQuestion?: FirstQuestion
}

/**
 * Declares a feature for `createCommand`. The type parameter can be dropped here, because the feature's operations are
 * only called with a service that contains the feature.
 */
export const commandFeature = <F extends Feature>(feature: CommandFeature<F>): CommandFeature =>
  feature as CommandFeature

/** @param features each one after the features that it builds on */
export function loadingOf(features: readonly CommandFeature[]): LoadFeatures {
  let loaded: ReturnType<LoadFeatures> | undefined
  return () => {
    loaded ??= Promise.all(features.map(({ load }) => load()))
    return loaded
  }
}
