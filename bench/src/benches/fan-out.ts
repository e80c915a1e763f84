import { sendBare } from '#bare-sender'
import { alternate, type Delay, overall, type Row, rate, type Settings } from '#bench'
import { usual } from '#delivering'
import { scratch } from '#processes'
import { startReceiver } from '#receiver'
import { deliverCopy } from '#sav-worker'
import { fillShop } from '#shop'
import { shopEnv } from '#shop-env'

const endpoints = 100
const rounds = 5

/**
 * Like `deliver`, for events that each go to 100 endpoints, beside a bare loop that posts the same bodies to the same
 * addresses. About 20 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  await using receiver = await startReceiver()
  using folder = scratch()
  const env = shopEnv(folder.path)
  const urls = Array.from({ length: endpoints }, (_, n) => `${receiver.url}endpoint/${n}`)
  await fillShop(folder.path, env, { cases: usual.count / endpoints, days: 0, receivers: urls })
  const delays: Delay[] = []
  const measured = await alternate({
    rounds,
    warmUps: 0,
    subject: async () => {
      const { perSecond, delay } = await deliverCopy(env, usual, receiver)
      if (delay !== undefined) delays.push(delay)
      return perSecond
    },
    baseline: () => sendBare({ urls }),
    say,
  })
  return [{ ...rate('fan-out', 'deliveries/s', measured, 0.6), delay: overall(delays) }]
}
