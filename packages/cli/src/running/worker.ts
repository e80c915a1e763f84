import { openStore } from '../installation/store.js'
import type { Context } from '../invocation/context.js'
import { startService } from './service.js'

/** Deliveries only, until it is stopped. */
export async function worker(context: Context): Promise<undefined> {
  const service = await startService(context.settings, (announce) => openStore(context.settings, announce))
  service.worker.start()
  service.log.say('delivering')
  await context.untilStopped()
  await service.stop([])
}
