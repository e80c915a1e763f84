import { readiness } from '@sav/core'
import { createApi, type Listener, listen } from '@sav/http-node'
import { secureRandom, systemClock } from '@sav/http-node/runtime'
import { openOrMakeStore } from '../installation/store.js'
import type { Context } from '../invocation/context.js'
import { addressProblem } from './address-problem.js'
import { withConsole } from './console.js'
import { noteLocalAddress } from './local-address.js'
import { startService } from './service.js'

/** A listener closes a little sooner than the whole stop must be over. */
const maxCloseMs = 8000

/** The API, and the deliveries unless a `sav worker` does them, until it is stopped. */
export async function serve(context: Context, options: { readonly worker: boolean }): Promise<undefined> {
  const { settings, json, stdout } = context
  const service = await startService(settings, (announce) => openOrMakeStore(settings, announce))
  const { sav, worker, log } = service
  const api = createApi({
    sav,
    clock: systemClock,
    random: secureRandom,
    ready: readiness({
      storage: service.storage,
      clock: systemClock,
      worker: options.worker ? worker : null,
      timeoutMs: settings.webhookTimeoutMs,
    }),
    onCall: log.onCall,
    onAnswer: service.onAnswer,
    log: log.onFailure,
    publicUrl: settings.publicUrl,
    trustedProxies: settings.trustedProxies,
    forwardedHeader: settings.forwardedHeader,
    corsOrigins: settings.corsOrigins,
  })
  const { host, port } = settings
  let listener: Listener | null = null
  const stop = () => {
    sav.live.close()
    const answered = listener?.close() ?? Promise.resolve()
    return service.stop([answered.finally(() => sav.serving.stop())])
  }
  try {
    await sav.serving.start()
    const traced = service.traced(api)
    listener = await listen(settings.console ? withConsole(traced) : traced, {
      host,
      port,
      limits: { maxCloseMs },
    })
    await noteLocalAddress(service.storage, listener)
    if (options.worker) worker.start()
    stdout.write(`${json ? JSON.stringify({ url: listener.url }) : `listening on ${listener.url}`}\n`)
    await context.untilStopped()
  } catch (error) {
    await stop().catch(() => {})
    throw addressProblem(error, settings)
  }
  await stop()
}
