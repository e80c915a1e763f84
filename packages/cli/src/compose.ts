import { createSav, type DispatcherEvent, type Sav } from '@sav/core'
import type { HttpSender, Storage } from '@sav/core/ports'
import { secureRandom, systemClock } from '@sav/http-node/runtime'
import type { Settings } from './settings.js'

/** What seals, and what opens: see secret-key.ts. */
export interface Keys {
  readonly secretKey: Uint8Array
  readonly findSecretKey: (keyId: string) => Uint8Array | undefined
}

export interface Parts extends Keys {
  readonly storage: Storage
  readonly http: HttpSender
  readonly observe: (event: DispatcherEvent) => void
}

/** The service for commands that deliver nothing themselves. */
export function composeWithoutWorker(settings: Settings, store: Keys & Pick<Parts, 'storage'>): Sav {
  const http: HttpSender = {
    post: () => Promise.reject(new Error('this process has no worker')),
    close: async () => {},
  }
  return compose(settings, { ...store, http, observe: () => {} })
}

/** The one place where the pieces become a service. */
export function compose(settings: Settings, { storage, secretKey, findSecretKey, http, observe }: Parts): Sav {
  return createSav({
    storage,
    clock: systemClock,
    random: secureRandom,
    secretKey,
    findSecretKey,
    timeZone: settings.timeZone,
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
