import { setTimeout } from 'node:timers/promises'
import type { DispatcherEvent, Sav } from '@sav/core'
import { createSender } from '@sav/http-node'
import type { SqliteStorage } from '@sav/storage-kysely/sqlite'
import { compose } from './compose.js'
import { type Log, openLog } from './log.js'
import { finishRotation, isRotating } from './secret-key-rotation.js'
import type { Settings } from './settings.js'
import type { OpenStore } from './store.js'
import { openTracing } from './tracing.js'
import { version } from './version.js'

/** The service with everything that it needs to deliver, until it is stopped. */
export interface Service {
  readonly sav: Sav
  readonly storage: SqliteStorage
  readonly log: Log
  /** Lets the attempts under way and `others` end, but not for longer than a stop may take; then closes everything. */
  stop(others: readonly Promise<void>[]): Promise<void>
}

async function serveMetrics({ metrics: address }: Settings, parts: Pick<Service, 'sav' | 'storage'>) {
  if (address === null) return null
  const { createMetrics } = await import('./metrics.js')
  const { listenForScrapes } = await import('./metrics-listener.js')
  const metrics = createMetrics(parts)
  const listener = await listenForScrapes(metrics.scrape, address)
  return { ...listener, onDelivery: metrics.onDelivery }
}

/** A stop ends within 10 s. What is cut off is attempted again by the next worker, once its lease has run out. */
const longestStopMs = 9000

/** @throws CommandError when the metrics cannot be served where the settings say; then the store is closed */
export async function startService(settings: Settings, store: OpenStore): Promise<Service> {
  const { storage } = store
  if (await isRotating(settings, storage)) await finishRotation(settings, storage)
  const log = openLog(settings.logLevel)
  const observers: ((event: DispatcherEvent) => void)[] = [log.onDelivery]
  const observe = (event: DispatcherEvent) => {
    for (const observer of observers) observer(event)
  }
  const http = createSender({
    userAgent: `sav/${version()}`,
    allowLocal: settings.allowLocalReceivers,
    allowCidrs: settings.allowedCidrs,
    proxy: settings.webhookProxy,
    connectionsPerOrigin: settings.concurrency.total,
  })
  const sav = compose(settings, { ...store, http, observe })
  const trace = await openTracing()
  if (trace !== null) observers.push(trace)
  const metrics = await serveMetrics(settings, { sav, storage }).catch(async (error: unknown) => {
    await http.close()
    await storage.close()
    throw error
  })
  if (metrics !== null) {
    observers.push(metrics.onDelivery)
    log.say(`metrics on ${metrics.url}`)
  }
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
      await metrics?.close()
      await http.close()
      await storage.close()
      await log.close()
    },
  }
}
