import { setTimeout } from 'node:timers/promises'
import type { DispatcherEvent, Sav } from '@sav/core'
import { createSender } from '@sav/http-node'
import { systemClock } from '@sav/http-node/runtime'
import { compose } from './compose.js'
import type { StoreStorage } from './database.js'
import { type Log, openLog } from './log.js'
import { openReporting } from './reporting.js'
import { finishRotation, isRotating } from './secret-key-rotation.js'
import type { Settings } from './settings.js'
import type { OpenStore } from './store.js'
import { openTracing } from './tracing.js'
import { version } from './version.js'

/** The service with everything that it needs to deliver, until it is stopped. */
export interface Service {
  readonly sav: Sav
  readonly storage: StoreStorage
  readonly log: Log
  /** Lets the attempts under way and `others` end, but not for longer than a stop may take; then closes everything. */
  stop(others: readonly Promise<void>[]): Promise<void>
}

async function serveMetrics({ metrics: address }: Settings, parts: Pick<Service, 'sav' | 'storage'>) {
  if (address === null) return null
  const { createMetrics } = await import('./metrics.js')
  const { listenForScrapes } = await import('./metrics-listener.js')
  const metrics = createMetrics({ ...parts, clock: systemClock })
  const listener = await listenForScrapes(metrics.scrape, address)
  return { ...listener, onDelivery: metrics.onDelivery }
}

/** A stop ends within 10 s. What is cut off is attempted again by the next worker, once its lease has run out. */
const longestStopMs = 9000

/** @throws CommandError when a channel or the metrics refuse their settings; then the store is closed */
export async function startService(settings: Settings, store: OpenStore): Promise<Service> {
  const { storage } = store
  const reporting = await openReporting(settings).catch(async (error: unknown) => {
    await storage.close()
    throw error
  })
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
  const sav = compose(settings, { ...store, http, reports: reporting.reports, observe })
  const trace = await openTracing()
  if (trace !== null) observers.push(trace)
  const metrics = await serveMetrics(settings, { sav, storage }).catch(async (error: unknown) => {
    await http.close()
    await reporting.close()
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
      await reporting.close()
      await storage.close()
      await log.close()
    },
  }
}
