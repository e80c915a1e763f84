import { fillBacklog } from '#backlog'
import { alternate, ceiling, type Row, rate, type Settings } from '#bench'
import { usual } from '#delivering'
import { scratch } from '#processes'
import { startReceiver } from '#receiver'
import { deliverCopy } from '#sav-worker'
import { copyShop, fillShop } from '#shop'
import { shopEnv } from '#shop-env'

const residentLimitMb = 250

/**
 * Like `deliver`, while 50,000 (with --full 1,000,000) deliveries of another endpoint wait for later, beside the same
 * without them; and what the worker holds then. About 20 s, with --full 50 s.
 */
export async function run({ full, say }: Settings): Promise<Row[]> {
  const backlog = full ? 1_000_000 : 50_000
  await using receiver = await startReceiver()
  using folders = new DisposableStack()
  const [folder, waiting] = [folders.use(scratch()).path, folders.use(scratch()).path]
  const env = shopEnv(folder)
  await fillShop(folder, env, { cases: usual.count, days: 0, receivers: [receiver.url] })
  say(`filling a store with ${backlog.toLocaleString('en')} waiting deliveries`)
  const waitingEnv = copyShop(env, waiting)
  await fillBacklog(waitingEnv, backlog)

  let residentMb = 0
  const measured = await alternate({
    rounds: full ? 5 : 3,
    warmUps: 0,
    subject: async () => {
      const delivered = await deliverCopy(waitingEnv, usual, receiver)
      residentMb = Math.max(residentMb, delivered.residentMb)
      return delivered.perSecond
    },
    baseline: async () => (await deliverCopy(env, usual, receiver)).perSecond,
    say,
  })
  return [
    rate('deliver-backlog', 'deliveries/s', measured, 0.9),
    ceiling('deliver-backlog-memory', 'MB resident', residentMb, residentLimitMb),
  ]
}
