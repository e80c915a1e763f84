import { createSav, type DispatcherEvent, type ReportSettings, type Sav } from '@sav/core'
import type { HttpSender, Storage } from '@sav/core/ports'
import { secureRandom, systemClock } from '@sav/http-node/runtime'
import { withFileDirectory } from '@sav/storage-kysely/file-directory'
import { reportsElsewhere } from './reporting.js'
import type { Settings } from './settings.js'

/** What seals, and what opens: see secret-key.ts. */
export interface Keys {
  readonly secretKey: Uint8Array
  readonly findSecretKey: (keyId: string) => Uint8Array | undefined
}

export interface Parts extends Keys {
  readonly storage: Storage
  readonly http: HttpSender
  readonly reports: ReportSettings
  readonly observe: (event: DispatcherEvent) => void
}

/** The service for commands that deliver nothing themselves. */
export function composeWithoutWorker(settings: Settings, store: Keys & Pick<Parts, 'storage'>): Sav {
  const http: HttpSender = {
    post: () => Promise.reject(new Error('this process has no worker')),
    close: async () => {},
  }
  return compose(settings, { ...store, http, reports: reportsElsewhere(settings), observe: () => {} })
}

/** The store as the settings have it: with files of its own, or in a directory beside it. */
export function withFiles(storage: Storage, { filesDirectory }: Pick<Settings, 'filesDirectory'>) {
  return filesDirectory === null ? { storage, sweep: async () => 0 } : withFileDirectory(storage, filesDirectory)
}

/** The one place where the pieces become a service. */
export function compose(settings: Settings, { storage, secretKey, findSecretKey, http, reports, observe }: Parts): Sav {
  return createSav({
    storage: withFiles(storage, settings).storage,
    clock: systemClock,
    random: secureRandom,
    secretKey,
    findSecretKey,
    timeZone: settings.timeZone,
    rateLimit: settings.rateLimit,
    reports,
    webhooks: {
      http,
      receivers: { allowLocal: settings.allowLocalReceivers, allowCidrs: settings.allowedCidrs },
      schedule: settings.retrySchedule,
      timeoutMs: settings.webhookTimeoutMs,
      concurrency: settings.concurrency,
      channels: {},
      observe,
    },
  })
}
