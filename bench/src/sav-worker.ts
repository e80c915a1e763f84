import Database from 'better-sqlite3'
import { type Batch, type DeliveryRate, delivering, inFlight } from '#delivering'
import { logOf, scratch, startSav } from '#processes'
import type { Receiver } from '#receiver'
import { copyShop } from '#shop'
import { fileOf, type ShopEnv } from '#shop-env'

/** Runs a `sav worker` on a copy of a shop in which a `batch` of deliveries to `receiver` is due. */
export async function deliverCopy(env: ShopEnv, batch: Batch, receiver: Receiver): Promise<DeliveryRate> {
  using folder = scratch()
  const copy = { ...copyShop(env, folder.path), SAV_WEBHOOK_CONCURRENCY: `${inFlight},${inFlight}` }
  const db = new Database(fileOf(copy), { readonly: true })
  // Delivered webhooks are no longer in the queue; those to retry are in the other lane.
  const waiting = db.prepare<[], number>("select count(*) from delivery_queue where lane = 'first'").pluck()
  try {
    return await delivering({
      batch,
      receiver,
      start: () => startSav(['worker'], { folder: folder.path, env: copy }),
      recorded: () => batch.count - (waiting.get() ?? 0),
    })
  } catch (cause) {
    throw new Error(`sav worker did not deliver everything\n${logOf(folder.path)}`, { cause })
  } finally {
    db.close()
  }
}
