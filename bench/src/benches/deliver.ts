import { sendBare } from '#bare-sender'
import { alternate, type Delay, overall, type Row, rate, type Settings } from '#bench'
import { usual } from '#delivering'
import { scratch } from '#processes'
import { startReceiver } from '#receiver'
import { deliverCopy } from '#sav-worker'
import { fillShop } from '#shop'
import { shopEnv } from '#shop-env'

const rounds = 5

/**
 * From committed events to recorded outcomes, per second, by `sav worker`, to one receiver in a separate process,
 * beside a bare loop that signs the same body once. About 25 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  await using receiver = await startReceiver()
  using folder = scratch()
  const env = shopEnv(folder.path)
  await fillShop(folder.path, env, { cases: usual.count, days: 0, receivers: [receiver.url] })
  const delays: Delay[] = []
  const measured = await alternate({
    rounds,
    warmUps: 0,
    subject: async () => {
      const { perSecond, delay } = await deliverCopy(env, usual, receiver)
      if (delay !== undefined) delays.push(delay)
      return perSecond
    },
    baseline: () => sendBare({ urls: [receiver.url] }),
    say,
  })
  return [{ ...rate('deliver', 'deliveries/s', measured, 0.65), delay: overall(delays) }]
}
