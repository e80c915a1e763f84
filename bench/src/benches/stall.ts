import { ceiling, overall, type Row, type Settings } from '#bench'
import { creating } from '#creating'
import { slowness } from '#machine'
import { scratch, startServer } from '#processes'
import { fillShop } from '#shop'
import { shopEnv } from '#shop-env'

const rounds = 10
const maxMs = 50
const p99Ms = 10

/**
 * Measures how long creations block the event loop of a server without a worker, under the load of `create` (64
 * connections): the longest delay, and the 99th percentile. Limits are scaled to the speed of this machine
 * (`slowness`). About 25 s, with --full a minute more.
 */
export async function run({ full, say }: Settings): Promise<Row[]> {
  using folder = scratch()
  const env = shopEnv(folder.path)
  const receivers = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/two']
  const shop = await fillShop(folder.path, env, { cases: 0, days: 0, receivers })
  await using sav = await startServer(['--no-worker'], { folder: folder.path, env })
  const factor = await slowness(say)

  const round = async () => {
    await sav.delay()
    const { perSecond, latency } = await creating({ port: sav.port, callers: [shop], say })
    const delay = await sav.delay()
    say(
      `${perSecond.toFixed(0)}/s, ${latency.p50Ms.toFixed(1)} ms, p99 ${latency.p99Ms.toFixed(1)}; event loop p99 ${delay.p99Ms.toFixed(1)}, max ${delay.maxMs.toFixed(1)} ms`,
    )
    return { delay, latency }
  }
  // This round is the warm-up.
  await round()
  const measured = []
  for (let n = 0; n < rounds * (full ? 4 : 1); n += 1) measured.push(await round())
  const delay = overall(measured.map(({ delay }) => delay))
  return [
    ceiling('stall', 'ms, longest event loop delay', delay.maxMs, maxMs * factor),
    ceiling('stall-p99', 'ms, event loop delay', delay.p99Ms, p99Ms * factor),
  ]
}
