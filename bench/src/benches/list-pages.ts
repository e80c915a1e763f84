import { ceiling, percentile, type Row, type Settings, shown } from '#bench'
import { fillManyCases, type ManyCases } from '#many-cases'
import { startPostgres } from '#postgres'
import { scratch, startServer } from '#processes'
import { addAccounts, fillShop } from '#shop'
import { shopEnv } from '#shop-env'

const asked = 40
const deepest = 2000
const limitMs = { first: 10, deep: 20, extras: 100 }

type Query = Readonly<Record<string, string | number>>

/**
 * The 95th percentile of the time that a page of 50 takes over HTTP, totals included, in an account of 20,000 cases
 * (with --full 1,000,000) beside another one of the same size, on both stores: the worst of no filter, each of four
 * filters and each pair of them, for the first page and for page 2,000 (in a smaller account, a third of the way), and
 * the worst of the other filters. About 15 s, with --full 150 s.
 */
export async function run({ full, say }: Settings): Promise<Row[]> {
  await using postgres = await startPostgres()
  const count = full ? 1_000_000 : 20_000
  const rows: Row[] = []
  for (const store of ['sqlite', 'postgres'] as const) {
    const measure = async (cases: number) => {
      using folder = scratch()
      const database = store === 'postgres' ? await postgres.create(`cases_${cases}`) : undefined
      const worst = await worstOf({ folder: folder.path, cases, database })
      for (const [name, { ms, query }] of Object.entries(worst))
        say(`${store}, ${cases.toLocaleString('en')} cases, ${name}: ${shown(ms)} ms with ${JSON.stringify(query)}`)
      return worst
    }
    if (full) await measure(10_000)
    const worst = await measure(count)
    const suffix = store === 'sqlite' ? '' : '-postgres'
    for (const name of ['first', 'deep', 'extras'] as const)
      rows.push(ceiling(`list-pages-${name}${suffix}`, 'ms, p95', worst[name].ms, limitMs[name]))
  }
  return rows
}

interface Slowest {
  readonly ms: number
  readonly query: Query
}

interface Store {
  readonly folder: string
  readonly cases: number
  readonly database: string | undefined
}

async function worstOf({ folder, cases, database }: Store): Promise<Record<keyof typeof limitMs, Slowest>> {
  const env = shopEnv(folder, database)
  const shop = await fillShop(folder, env, { cases: 1, days: 0, receivers: [] })
  const [other = shop] = await addAccounts(env, ['other'], [])
  const known = await fillManyCases(env, cases, other)
  await using server = await startServer(['--no-worker'], { folder, env })

  const timed = async (query: Query) => {
    const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    const start = performance.now()
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/sav?${parameters}`, {
      headers: { Authorization: `Bearer ${shop.key}` },
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${text}`)
    return performance.now() - start
  }
  const slowest = async (queries: readonly ((n: number) => Query)[]): Promise<Slowest> => {
    let worst: Slowest = { ms: 0, query: {} }
    for (const queryOf of queries) {
      const times: number[] = []
      for (let n = 0; n < asked; n += 1) times.push(await timed(queryOf(n)))
      const ms = percentile(times, 0.95)
      if (ms > worst.ms) worst = { ms, query: queryOf(0) }
    }
    return worst
  }
  const usual = combinations(filters(known))
  const at = (page: number) => usual.map((queryOf) => (n: number) => ({ ...queryOf(n), page }))
  await slowest(at(1))
  return {
    first: await slowest(at(1)),
    deep: await slowest(at(Math.min(deepest, Math.floor(cases / 50 / 3)))),
    extras: await slowest(extras),
  }
}

const day = (n: number) => new Date(Date.now() - (900 - n * 20) * 86_400_000).toISOString().slice(0, 10)

const filters = ({ clients, poseurs }: ManyCases): ((n: number) => Query)[] => [
  (n) => ({ statut: ['ouvert', 'en_cours', 'clos'][n % 3] ?? 'ouvert' }),
  (n) => ({ client_id: clients[(n * 13) % clients.length] ?? 0 }),
  (n) => ({ poseur_id: poseurs[n % poseurs.length] ?? 0 }),
  (n) => ({ depuis: day(n) }),
]

const extras: ((n: number) => Query)[] = [
  (n) => ({ priorite: ['basse', 'normale', 'haute', 'urgente'][n % 4] ?? 'basse' }),
  (n) => ({ type_probleme: ['reglage', 'autre'][n % 2] ?? 'autre' }),
  (n) => ({ modifie_depuis: day(n) }),
  (n) => ({ recherche: `corniche ${4000 + n}` }),
]

/** None, each, and each pair. */
function combinations(singles: readonly ((n: number) => Query)[]): ((n: number) => Query)[] {
  const pairs = singles.flatMap((a, index) =>
    singles.slice(index + 1).map((b) => (n: number) => ({ ...a(n), ...b(n) })),
  )
  return [() => ({}), ...singles, ...pairs]
}
