import { startBarePostgres } from '#bare-postgres'
import { type Delay, medianBy, overall, type Row, rate, type Settings, shown } from '#bench'
import { creating } from '#creating'
import { startPostgres } from '#postgres'
import { scratch, startServer } from '#processes'
import { fillShop } from '#shop'
import { shopEnv } from '#shop-env'

const rounds = 15
/** How many rounds count as the beginning, and how many as the end. */
const compared = 3

/**
 * Measures creations in the first 20 s of a new installation, on a database that has not been analyzed. The last rounds
 * are compared with the bare server of `create-postgres`, and with the first rounds. About 40 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  using folder = scratch()
  await using postgres = await startPostgres('autovacuum=off')
  const env = shopEnv(folder.path, await postgres.create('sav'))
  const receivers = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/two']
  const shop = await fillShop(folder.path, env, { cases: 0, days: 0, receivers })
  await using bare = await startBarePostgres(postgres)
  await using server = await startServer(['--no-worker'], { folder: folder.path, env })

  const measured: { figure: number; bare: number; delay: Delay }[] = []
  await creating({ port: bare.value.port, callers: [shop], say })
  for (let n = 1; n <= rounds; n += 1) {
    await server.delay()
    const { perSecond: figure, latency } = await creating({ port: server.port, callers: [shop], say })
    const delay = await server.delay()
    const isCompared = n <= compared + 1 || n > rounds - compared
    const baseline = isCompared ? await creating({ port: bare.value.port, callers: [shop], say }) : null
    measured.push({ figure, bare: baseline?.perSecond ?? Number.NaN, delay })
    say(`round ${n} of ${rounds}: ${shown(figure)}/s, p50 ${shown(latency.p50Ms)} ms, p99 ${shown(latency.p99Ms)} ms`)
  }
  // The very first round is the warm-up.
  const byRatio = (part: typeof measured) => medianBy(part, (round) => round.figure / round.bare)
  const [first, last] = [byRatio(measured.slice(1, compared + 1)), byRatio(measured.slice(-compared))]
  const delay = overall(measured.map((round) => round.delay))
  const pace = { figure: last.figure / last.bare, baseline: first.figure / first.bare }
  return [
    { ...rate('create-fresh-postgres', 'requests/s', { figure: last.figure, baseline: last.bare }, 0.25), delay },
    rate('create-fresh-postgres-pace', 'of the bare server’s rate in the last rounds, and in the first', pace, 0.9),
  ]
}
