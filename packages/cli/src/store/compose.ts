import { type AllFeatures, allFeatures } from '@sav/all'
import { createUseCases, type Sav, type SavDeps } from '@sav/core'
import { withOutsideFiles } from '@sav/core/internal'
import type { Storage } from '@sav/core/ports'
import { secureRandom, systemClock, systemLookUp } from '@sav/http-node/runtime'
import type { Settings } from '../settings/settings.js'
import { contentsOf } from './file-contents.js'
import { lettersOf, rdvLettersOf } from './letter-channels.js'
import { signingInOf } from './signing-in.js'
import { lazyStampVerifier } from './stamp-verifier.js'
import { locatingOf, travellingOf } from './travelling.js'

/** One key seals; any known key opens what it sealed. See secret-key.ts. */
export interface Keys {
  readonly secretKey: Uint8Array
  readonly findSecretKey: (keyId: string) => Uint8Array | undefined
}

interface Store extends Keys {
  readonly storage: Storage
}

/** The store as the settings have it: with files of its own, or elsewhere. */
export function withFiles(storage: Storage, { files }: Pick<Settings, 'files'>): Storage {
  return files === null ? storage : withOutsideFiles(storage, { contents: contentsOf(files), clock: systemClock })
}

/** The features as the settings have them. */
const featuresOf = (settings: Settings) =>
  allFeatures({
    people: signingInOf(settings),
    planning: {
      ...travellingOf(settings),
      letters: rdvLettersOf(settings),
      letterDelayMs: settings.rdvLetterDelayMs,
      ical: async (invitation) => (await import('@sav/planning/ical')).rdvIcalOf(invitation),
    },
  })

/** What the settings say of a service on a store, whether it only has things done or sends as well. */
export function depsOf(
  settings: Settings,
  { storage, secretKey, findSecretKey }: Store,
): SavDeps & { readonly features: ReturnType<typeof allFeatures> } {
  return {
    features: featuresOf(settings),
    storage: withFiles(storage, settings),
    clock: systemClock,
    random: secureRandom,
    secretKey,
    findSecretKey,
    timeZone: settings.timeZone,
    publicUrl: settings.publicUrl,
    receivers: { allowLocal: settings.allowLocalReceivers, allowCidrs: settings.allowedCidrs },
    // Behind a proxy it is the proxy that finds receivers.
    ...(settings.webhookProxy === null && { lookUp: systemLookUp }),
    letters: lettersOf(settings),
    stampVerifier: lazyStampVerifier(settings.tsaCa),
    ...locatingOf(settings),
    rateLimit: settings.rateLimit,
  }
}

/** The service with every feature. */
export type WholeSav = Sav<AllFeatures>

/** The use cases of a command: they send nothing. */
export const compose = (settings: Settings, store: Store): WholeSav => createUseCases(depsOf(settings, store))
