import {
  createUseCases,
  createWorker,
  type Sav,
  type SavDeps,
  type Worker,
  type WorkerDeps,
  withOutsideFiles,
} from '@sav/core'
import type { Storage } from '@sav/core/ports'
import { secureRandom, systemClock, systemLookUp } from '@sav/http-node/runtime'
import { lazyStampVerifier } from '../evidence/stamp-verifier.js'
import type { Settings } from '../settings/settings.js'
import { contentsOf } from './file-contents.js'
import { lettersOf, rdvLettersOf } from './letter-channels.js'
import { signingInOf } from './signing-in.js'
import { travellingOf } from './travelling.js'

/** What seals, and what opens: see secret-key.ts. */
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

/**
 * The pieces become a service here, and nowhere else. It sends nothing: a worker does, in this process or in another.
 * @param more what a process that serves the API has beside; or another clock
 */
export function compose(
  settings: Settings,
  store: Store,
  more: Pick<SavDeps, 'onFault' | 'reportRenderer'> & Partial<Pick<SavDeps, 'clock'>> = {},
): Sav {
  return createUseCases({
    ...shared(settings, store),
    timeZone: settings.timeZone,
    publicUrl: settings.publicUrl,
    receivers: { allowLocal: settings.allowLocalReceivers, allowCidrs: settings.allowedCidrs },
    // Behind a proxy it is the proxy that finds receivers.
    ...(settings.webhookProxy === null && { lookUp: systemLookUp }),
    letters: lettersOf(settings),
    rdvLetters: rdvLettersOf(settings),
    rdvLetterDelayMs: settings.rdvLetterDelayMs,
    stampVerifier: lazyStampVerifier(settings.tsaCa),
    ...travellingOf(settings),
    ...signingInOf(settings),
    rateLimit: settings.rateLimit,
    ...more,
  })
}

/** What sends for the service on the same store. */
export function composeWorker(
  settings: Settings,
  store: Store,
  sending: Required<Pick<WorkerDeps, 'http' | 'reports' | 'jobs' | 'observe'>> & Pick<WorkerDeps, 'traceAttempt'>,
): Worker {
  return createWorker({
    ...shared(settings, store),
    ...sending,
    schedule: settings.retrySchedule,
    timeoutMs: settings.webhookTimeoutMs,
    concurrency: settings.concurrency,
  })
}

function shared(settings: Settings, { storage, secretKey, findSecretKey }: Store) {
  return {
    storage: withFiles(storage, settings),
    clock: systemClock,
    random: secureRandom,
    secretKey,
    findSecretKey,
  }
}
