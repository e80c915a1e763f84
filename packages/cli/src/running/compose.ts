import { createSav, createWorker, type Sav, type SavDeps, type Worker, type WorkerDeps } from '@sav/core'
import type { Storage } from '@sav/core/ports'
import { secureRandom, systemClock, systemLookUp } from '@sav/http-node/runtime'
import { withFileDirectory } from '@sav/storage-kysely/file-directory'
import { lazyStampVerifier } from '../evidence/stamp-verifier.js'
import type { Settings } from '../settings/settings.js'
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

/** The store as the settings have it: with files of its own, or in a directory beside it. */
export function withFiles(storage: Storage, { filesDirectory }: Pick<Settings, 'filesDirectory'>) {
  return filesDirectory === null ? { storage, sweep: async () => 0 } : withFileDirectory(storage, filesDirectory)
}

/**
 * The pieces become a service here, and nowhere else. It sends nothing: a worker does, in this process or in another.
 * @param onFault told of what went wrong where no caller waits
 */
export function compose(settings: Settings, store: Store, onFault: SavDeps['onFault'] = () => {}): Sav {
  return createSav({
    ...shared(settings, store),
    timeZone: settings.timeZone,
    publicUrl: settings.publicUrl,
    receivers: { allowLocal: settings.allowLocalReceivers, allowCidrs: settings.allowedCidrs },
    // Behind a proxy it is the proxy that finds receivers.
    ...(settings.webhookProxy === null && { lookUp: systemLookUp }),
    letters: lettersOf(settings),
    rdvLetters: rdvLettersOf(settings),
    stampVerifier: lazyStampVerifier(settings.tsaCa),
    ...travellingOf(settings),
    ...signingInOf(settings),
    rateLimit: settings.rateLimit,
    onFault,
  })
}

/** What sends for the service on the same store. */
export function composeWorker(
  settings: Settings,
  store: Store,
  sending: Required<Pick<WorkerDeps, 'http' | 'reports' | 'jobs' | 'observe'>>,
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
    storage: withFiles(storage, settings).storage,
    clock: systemClock,
    random: secureRandom,
    secretKey,
    findSecretKey,
  }
}
