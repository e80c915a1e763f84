import { fillBacklog } from '#backlog'
import { alternate, type Row, type Settings } from '#bench'
import { composed } from '#composed'
import { startPostgres } from '#postgres'
import { runPart, scratch } from '#processes'
import { fillShop } from '#shop'
import { type ShopEnv, shopEnv } from '#shop-env'

const due = 2000
const claimed = 64
const claimsARound = 100
const rounds = 5
const limit = 1.2

/**
 * How long it takes to look for what is due and to claim 64 deliveries, while 50,000 (with --full 1,000,000) others
 * wait for later, beside 1,000, on both stores. About 13 s, with --full 55 s.
 */
export async function run({ full, say }: Settings): Promise<Row[]> {
  const backlog = full ? 1_000_000 : 50_000
  using folders = new DisposableStack()
  await using postgres = await startPostgres()
  const fill = async (waiting: number, database?: string) => {
    const folder = folders.use(scratch()).path
    const env = shopEnv(folder, database)
    await fillShop(folder, env, { cases: due, days: 0, receivers: ['http://127.0.0.1:9/'] })
    await fillBacklog(env, waiting)
    return env
  }
  const growth = async (name: string, shops: Shops): Promise<Row> => {
    const { figure, baseline } = await runPart(import.meta.url, compare, shops)
    say(`${name}: ${figure.toFixed(2)} ms beside ${baseline.toFixed(2)} ms`)
    return { bench: name, figure, baseline, unit: 'ms a claim', ratio: limit / (figure / baseline), goal: 1 }
  }
  say(`filling two stores with ${backlog.toLocaleString('en')} waiting deliveries`)
  return [
    await growth('claim-growth', { few: await fill(1000), many: await fill(backlog) }),
    await growth('claim-growth-postgres', {
      few: await fill(1000, await postgres.create('few')),
      many: await fill(backlog, await postgres.create('many')),
    }),
  ]
}

interface Shops {
  readonly few: ShopEnv
  readonly many: ShopEnv
}

export async function compare({ few, many }: Shops): Promise<{ figure: number; baseline: number }> {
  const [small, large] = [await composed(few), await composed(many)]
  return alternate({ rounds, subject: () => msOf(large), baseline: () => msOf(small), say: () => {} })
}

/** What is claimed is given back, which is not counted. */
async function msOf({ storage: { queue } }: Awaited<ReturnType<typeof composed>>): Promise<number> {
  let elapsedMs = 0
  for (let n = 0; n < claimsARound; n += 1) {
    const start = performance.now()
    const now = new Date().toISOString()
    const targets = await queue.due(now)
    const deliveries = await queue.claim(
      targets.map((target) => ({ ...target, limit: claimed })),
      { now, leasedUntil: new Date(Date.now() + 15_000).toISOString(), token: `bench-${n}` },
    )
    elapsedMs += performance.now() - start
    if (deliveries.length !== claimed) throw new Error(`${deliveries.length} of ${claimed} deliveries were claimed`)
    await queue.release(deliveries)
  }
  return elapsedMs / claimsARound
}
