import { besideBareLoop } from '#bare-sender'
import type { Row, Settings } from '#bench'
import { usual } from '#delivering'
import { scratch } from '#processes'
import { startReceiver } from '#receiver'
import { deliverCopy } from '#sav-worker'
import { fillShop } from '#shop'
import { shopEnv } from '#shop-env'

/**
 * Measures how many deliveries a second `sav worker` makes, from committed events to recorded outcomes, to one receiver
 * in a separate process. The baseline is a bare loop that signs the same body once. About 25 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  await using receiver = await startReceiver()
  using folder = scratch()
  const env = shopEnv(folder.path)
  await fillShop(folder.path, env, { cases: usual.count, days: 0, receivers: [receiver.url] })
  const deliver = () => deliverCopy(env, usual, receiver)
  return [await besideBareLoop('deliver', { deliver, urls: [receiver.url], rounds: 5, goal: 0.65, say })]
}
