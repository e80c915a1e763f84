import { UnavailableError } from '@sav/core'
import { createApi, listen } from '@sav/http-node'
import { secureRandom, systemClock } from '@sav/http-node/runtime'
import { addressProblem } from '../address-problem.js'
import type { Context } from '../context.js'
import { type Service, startService } from '../service.js'
import type { Settings } from '../settings.js'
import { openOrMakeStore } from '../store.js'

/** A listener closes a little sooner than the whole stop must be over. */
const longestCloseMs = 8000

/** The API, and the deliveries unless a `sav worker` does them, until it is stopped. */
export async function serve(context: Context, options: { readonly worker: boolean }): Promise<undefined> {
  const { settings, json, stdout } = context
  const service = startService(settings, await openOrMakeStore(settings))
  const { sav, log } = service
  const ready = () => (options.worker ? workerReady(service, settings) : service.storage.ping())
  const api = createApi({
    sav,
    clock: systemClock,
    random: secureRandom,
    ready,
    onCall: log.onCall,
    log: log.onFailure,
  })
  const { host, port } = settings
  try {
    const listener = await listen(api, { host, port, limits: { closeMs: longestCloseMs } })
    if (options.worker) sav.worker.start()
    stdout.write(`${json ? JSON.stringify({ url: listener.url }) : `listening on ${listener.url}`}\n`)
    await context.untilStopped()
    log.say('stopping')
    await service.stop([listener.close()])
  } catch (error) {
    await service.stop([])
    throw addressProblem(error, settings)
  }
}

/** The worker looks at the queue several times a second, unless all its places are taken by attempts that all hang. */
async function workerReady({ sav, storage }: Service, { webhookTimeoutMs }: Settings): Promise<void> {
  await storage.ping()
  const longestSilenceMs = webhookTimeoutMs + 5000
  if (systemClock.now() - sav.worker.heartbeat > longestSilenceMs)
    throw new UnavailableError('The worker does not answer.', { retryAfterSeconds: 5 })
}
