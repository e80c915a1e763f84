import { besideBareLoop } from '#bare-sender'
import type { Row, Settings } from '#bench'
import { usual } from '#delivering'
import { scratch } from '#processes'
import { startReceiver } from '#receiver'
import { deliverCopy } from '#sav-worker'
import { fillShop } from '#shop'
import { shopEnv } from '#shop-env'

const endpoints = 100

/**
 * Like `deliver`, for events that each go to 100 endpoints. The bare loop posts the same bodies to the same addresses.
 * About 20 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  await using receiver = await startReceiver()
  using folder = scratch()
  const env = shopEnv(folder.path)
  const urls = Array.from({ length: endpoints }, (_, n) => `${receiver.url}endpoint/${n}`)
  await fillShop(folder.path, env, { cases: usual.count / endpoints, days: 0, receivers: urls })
  const deliver = () => deliverCopy(env, usual, receiver)
  return [await besideBareLoop('fan-out', { deliver, urls, rounds: 5, goal: 0.6, say })]
}
