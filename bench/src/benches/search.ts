import { Faker, fr } from '@faker-js/faker'
import { ceiling, percentile, type Row, type Settings } from '#bench'
import { as, composed } from '#composed'
import { slowness } from '#machine'
import { startPostgres } from '#postgres'
import { runPart, scratch } from '#processes'
import { creations, everyWordIndexed, fillShop } from '#shop'
import { type ShopEnv, shopEnv } from '#shop-env'

const cases = 100_000
const clientCount = 5000
const visits = 1000
const asked = 30
const limitMs = 50

/**
 * What a caller says, looked for among 100,000 cases of 5,000 clients: the 95th percentile of the slowest of the questions
 * below, on both stores. The limit is that of a machine whose bare loop makes 45,000/s. About 2 min, nearly all of it to
 * fill the stores.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  await using postgres = await startPostgres()
  const factor = await slowness(say)
  const rows: Row[] = []
  for (const store of ['sqlite', 'postgres'] as const) {
    using folder = scratch()
    const env = shopEnv(folder.path, store === 'postgres' ? await postgres.create('search') : undefined)
    await fillShop(folder.path, env, { cases: 0, days: 0, receivers: [] })
    say(`filling ${store}`)
    const said = await runPart(import.meta.url, fillTowns, { env })
    const slowest = await runPart(import.meta.url, asking, { env, said })
    for (const { kind, ms, found } of slowest) say(`${store}, ${kind}: ${ms.toFixed(1)} ms, ${found} cases`)
    const worst = Math.max(...slowest.map(({ ms }) => ms))
    rows.push(ceiling(store === 'sqlite' ? 'search' : 'search-postgres', 'ms, p95', worst, limitMs * factor))
  }
  return rows
}

/** By kind, what callers say. */
type SearchPhrases = Readonly<Record<string, readonly string[]>>

export async function fillTowns({ env }: { env: ShopEnv }): Promise<SearchPhrases> {
  const { sav, storage } = await composed(env)
  const actor = as('default')
  const { person, location, helpers, string } = new Faker({ locale: fr, seed: 3 })
  const towns = Array.from({ length: 300 }, () => location.city())
  const people = Array.from({ length: clientCount }, () => ({
    nom: person.lastName(),
    prenom: person.firstName(),
    telephone: `06${string.numeric(8)}`,
    lieu: { ligne1: location.streetAddress(), code_postal: location.zipCode(), ville: helpers.arrayElement(towns) },
  }))
  const clients: number[] = []
  for (let n = 0; n < clientCount; n += 500) {
    const added = people.slice(n, n + 500).map((client) => sav.directory.clients.add(actor, client))
    clients.push(...(await Promise.all(added)).map(({ id }) => id))
  }
  const inputs = creations(2000)
  let created = 0
  while (created < cases) {
    const group = Array.from({ length: 500 }, (_, n) => {
      const input = inputs[(created + n) % inputs.length]
      if (input === undefined) throw new Error('a shop is filled with nothing')
      return sav.cases.create(actor, { client_id: clients[(created * 7 + n * 11) % clientCount] ?? 0, ...input })
    })
    created += (await Promise.all(group)).length
  }
  const poseur = await sav.directory.poseurs.add(actor, { nom: 'Karim Benali' })
  for (let n = 0; n < visits; n += 1)
    await sav.planning.book(actor, {
      client_id: clients[n] ?? 0,
      poseur_id: poseur.id,
      debut: new Date(Date.UTC(2036, 0, 1) + n * 3_600_000).toISOString(),
      duree_minutes: 45,
    })
  await everyWordIndexed(env)
  await storage.close()
  const some = (of: (client: (typeof people)[number], n: number) => string) =>
    people.slice(0, asked).map((client, n) => of(client, n))
  return {
    'a word of nearly all cases': some(() => 'la porte'),
    'words and their forms': some(
      (_, n) => ['charnières cassées', 'fuites', 'tiroirs bloqués', 'façade rayée'][n % 4] ?? '',
    ),
    'words and a town': some(({ lieu }) => `fuite ${lieu.ville}`),
    'words that are hardly ever together': some(({ nom }) => `porte meuble tiroir ${nom}`),
    'a telephone': some(({ telephone }) => telephone.replace(/(\d\d)(?=\d)/g, '$1 ')),
    'a street': some(({ lieu }) => lieu.ligne1),
    'a town': some(({ lieu }) => lieu.ville),
    'a name': some(({ nom, prenom }) => `${prenom} ${nom}`),
    'a number': some((_, n) => String(170 + n)),
    'the beginning of a word': some((_, n) => 'abcdefghijlmnopqrstuv'[n % 21] ?? 'a'),
    'what nobody has': some((_, n) => `zyx${n} porte`),
  }
}

export async function asking({ env, said }: { env: ShopEnv; said: SearchPhrases }) {
  const { sav, storage } = await composed(env)
  const slowest: { kind: string; ms: number; found: number }[] = []
  const seen = { clients: true, rdv: true }
  for (const [kind, questions] of Object.entries(said)) {
    const times: number[] = []
    await sav.search('default', { q: questions[0] ?? 'a' }, seen)
    for (const q of questions) {
      const start = performance.now()
      await sav.search('default', { q }, seen)
      times.push(performance.now() - start)
    }
    const { total } = await sav.cases.list('default', { recherche: questions[0] ?? 'a', limite: 1 })
    slowest.push({ kind, ms: percentile(times, 0.95), found: total })
  }
  await storage.close()
  return slowest
}
