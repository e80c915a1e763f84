import { createUseCases, type Sav, type SavDeps } from '@sav/core'
import { withOutsideFiles } from '@sav/core/adapter'
import type { Feature } from '@sav/core/feature'
import type { Storage } from '@sav/core/ports'
import type { FeatureRoutes } from '@sav/http-node/feature'
import { secureRandom, systemClock, systemLookUp } from '@sav/http-node/runtime'
import type { LoadedFeature, Settings } from '../settings/settings.js'
import type { StoreStorage } from './database.js'
import { contentsOf } from './file-contents.js'
import { lettersOf } from './letter-channels.js'
import { lazyStampVerifier } from './stamp-verifier.js'

/** `secretKey` seals new secrets. `findSecretKey` finds the key that opens an existing one: see secret-key.ts. */
export interface Keys {
  readonly secretKey: Uint8Array
  readonly findSecretKey: (keyId: string) => Uint8Array | undefined
}

interface Store extends Keys {
  readonly storage: Storage & Pick<StoreStorage, 'features'>
}

/** The storage, with its files in the place that the settings name. */
export function withFiles(storage: Storage, { files }: Pick<Settings, 'files'>): Storage {
  return files === null ? storage : withOutsideFiles(storage, { contents: contentsOf(files), clock: systemClock })
}

/**
 * What the use cases need to work on a store, and the operations of the store's features. Commands and services use it.
 */
export async function depsOf(
  settings: Settings,
  { storage, secretKey, findSecretKey }: Store,
): Promise<SavDeps & { readonly features: readonly Feature[]; readonly operations: readonly FeatureRoutes[] }> {
  const loaded = await featuresOn(storage, settings)
  return {
    features: loaded.map(({ made }) => made),
    operations: loaded.flatMap(({ routes }) => routes ?? []),
    storage: withFiles(storage, settings),
    clock: systemClock,
    random: secureRandom,
    secretKey,
    findSecretKey,
    timeZone: settings.timeZone,
    publicUrl: settings.publicUrl,
    receivers: { allowLocal: settings.allowLocalReceivers, allowCidrs: settings.allowedCidrs },
    // If webhooks go through a proxy, the proxy looks up the host names of receivers.
    ...(settings.webhookProxy === null && { lookUp: systemLookUp }),
    letters: lettersOf(settings),
    stampVerifier: lazyStampVerifier(settings.tsaCa),
    ...Object.assign({}, ...loaded.map(({ deps }) => deps?.(settings))),
    rateLimit: settings.rateLimit,
  }
}

/** The use cases for a command, without a sender: they send no deliveries. */
export const compose = async (settings: Settings, store: Store): Promise<Sav> =>
  createUseCases(await depsOf(settings, store))

/** The features with which a store was opened, without those that build on a feature that is missing. */
async function featuresOn({ features }: Store['storage'], settings: Settings) {
  const opened = new Set(features.map(({ name }) => name))
  const there = new Map<string, LoadedFeature & { readonly made: Feature }>()
  for (const loaded of await settings.features()) {
    const made = loaded.feature(settings)
    const { name, buildsOn = [] } = made
    if ((loaded.tables === undefined || opened.has(loaded.tables.name)) && buildsOn.every((other) => there.has(other)))
      there.set(name, { ...loaded, made })
  }
  return [...there.values()]
}
