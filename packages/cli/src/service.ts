import { setTimeout } from 'node:timers/promises'
import type { Sav } from '@sav/core'
import { createSender } from '@sav/http-node'
import type { SqliteStorage } from '@sav/storage-kysely/sqlite'
import { compose } from './compose.js'
import { type Log, openLog } from './log.js'
import type { Settings } from './settings.js'
import type { OpenStore } from './store.js'
import { version } from './version.js'

/** The service with everything that it needs to deliver, until it is stopped. */
export interface Service {
  readonly sav: Sav
  readonly storage: SqliteStorage
  readonly log: Log
  /** Lets the attempts under way and `others` end, but not for longer than a stop may take; then closes everything. */
  stop(others: readonly Promise<void>[]): Promise<void>
}

/** A stop ends within 10 s. What is cut off is attempted again by the next worker, once its lease has run out. */
const longestStopMs = 9000

export function startService(settings: Settings, { storage, secretKey }: OpenStore): Service {
  const log = openLog(settings.logLevel)
  const http = createSender({
    userAgent: `sav/${version()}`,
    allowLocal: settings.allowLocalReceivers,
    connectionsPerOrigin: settings.concurrency.total,
  })
  const sav = compose(settings, { storage, secretKey, http, observe: log.onDelivery })
  return {
    sav,
    storage,
    log,
    async stop(others) {
      const abort = new AbortController()
      const ended = Promise.all([sav.worker.stop(), ...others])
      const bound = setTimeout(longestStopMs, undefined, { signal: abort.signal }).catch(() => {})
      await Promise.race([ended, bound])
      abort.abort()
      await http.close()
      await storage.close()
      await log.close()
    },
  }
}
