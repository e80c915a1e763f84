import { createApi, listen } from '@sav/http-node'
import type { Context } from '../invocation/context.js'
import { noteLocalAddress } from '../invocation/links.js'
import { addressProblem } from '../process/address-problem.js'
import { openOrMakeStore, openStore } from '../store/store.js'
import type { Announce } from '../store/upgrade.js'
import { jsonText } from '../terminal/safe-text.js'
import { withConsole } from './console.js'
import { openService } from './service.js'

/** How long the listener may take to close, which is only a part of a stop: see `maxCloseMs` in service.ts. */
const maxCloseMs = 8000

export interface ServeOptions {
  readonly worker: boolean
  /** Whether to create a missing store. */
  readonly init: boolean
}

/**
 * Serves the API until it is stopped. It also makes deliveries, unless `worker` is false because a `sav worker` makes
 * them.
 */
export async function serve(context: Context, { worker, init }: ServeOptions): Promise<undefined> {
  const { settings, json, stdout } = context
  const open = (announce: Announce) => (init ? openOrMakeStore : openStore)(settings, announce)
  const { service, ready, storage, operations, log, onAnswer, traced, drain, close } = await openService(settings, {
    open,
    sends: worker,
  })
  const api = traced(
    createApi({
      sav: service,
      features: operations,
      ready,
      onCall: log.onCall,
      onAnswer,
      log: log.onFailure,
      publicUrl: settings.publicUrl,
      trustedProxies: settings.trustedProxies,
      forwardedHeader: settings.forwardedHeader,
      corsOrigins: settings.corsOrigins,
    }),
  )
  const { host, port, drainMs } = settings
  try {
    const pages = settings.console ? withConsole(api) : api
    const listener = await service.start(() =>
      listen(pages, { host, port, limits: { maxCloseMs, lingers: drainMs > 0 } }),
    )
    await noteLocalAddress(storage, listener)
    const { url } = listener
    log.say(`listening on ${url}`, { url })
    stdout.write(`${json ? jsonText({ url }) : `listening on ${url}`}\n`)
    await context.untilStopped(drainMs)
    await drain(drainMs)
  } catch (error) {
    await close().catch(() => {})
    throw addressProblem(error, settings)
  }
  await close()
}

/** Makes deliveries until it is stopped, and does not serve the API. */
export async function worker({ settings, untilStopped }: Context): Promise<undefined> {
  const open = (announce: Announce) => openStore(settings, announce)
  const { service, log, close } = await openService({ ...settings, rateLimit: null }, { open, sends: true })
  try {
    await service.start()
    log.say('delivering')
    await untilStopped()
  } finally {
    await close()
  }
}
