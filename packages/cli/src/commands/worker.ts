import type { Context } from '../context.js'
import { startService } from '../service.js'
import { openStore } from '../store.js'

/** Deliveries only, until it is stopped. */
export async function worker(context: Context): Promise<undefined> {
  const service = await startService(context.settings, await openStore(context.settings))
  service.sav.worker.start()
  service.log.say('delivering')
  await context.untilStopped()
  service.log.say('stopping')
  await service.stop([])
}
