import { createServer } from 'node:http'
import Database from 'better-sqlite3'
import { alternate, type Row, rate, type Settings, watched } from '#bench'
import { byConnections } from '#connections'
import { listen } from '#listen'
import { listing } from '#listing'
import { scratch, startPart, startServer } from '#processes'
import { fillShop } from '#shop'
import { fileOf, shopEnv } from '#shop-env'

const rounds = 7
const growthRounds = 5
const days = 1000

/**
 * Measures reads of the list's first page: 50 cases with totals, with keys, limits and audit. First with 100,000 cases
 * and 16 connections, beside a bare server that runs the same statements. Then with other numbers of connections. Then
 * with 100,000 cases (1,000,000 with --full) beside 10,000. About 35 s, with --full 95 s.
 */
export async function run({ full, say }: Settings): Promise<Row[]> {
  using folders = new DisposableStack()
  const shop = async (cases: number) => {
    say(`filling a store with ${cases.toLocaleString('en')} cases`)
    const folder = folders.use(scratch()).path
    const env = shopEnv(folder)
    const filled = await fillShop(folder, env, { cases, days, receivers: [] })
    placeClients(fileOf(env))
    return { folder, env, ...filled }
  }
  const usual = await shop(100_000)
  const small = await shop(10_000)
  const large = full ? await shop(1_000_000) : usual

  const msOf = async (target: { port: number; key: string }) => 1000 / (await listing(target)).perSecond

  await using usualServer = await startServer(['--no-worker'], usual)
  await using bare = await startPart(import.meta.url, bareServer, { database: fileOf(usual.env) })
  const subject = (connections?: number) =>
    listing({ port: usualServer.port, key: usual.key, ...(connections && { connections }) })
  const baseline = (connections?: number) =>
    listing({ port: bare.value.port, key: '', ...(connections && { connections }) })
  const delay = () => usualServer.delay()
  const pages = watched({ work: async () => (await subject()).perSecond, delay })
  const listed = await alternate({
    rounds,
    subject: pages.subject,
    baseline: async () => (await baseline()).perSecond,
    say,
  })
  const more = await byConnections('list', { subject, baseline, delay })

  say('growth')
  await using smallServer = await startServer(['--no-worker'], small)
  await using largeServer = full ? await startServer(['--no-worker'], large) : null
  const growth = await alternate({
    rounds: growthRounds,
    subject: () => msOf({ port: (largeServer ?? usualServer).port, key: large.key }),
    baseline: () => msOf({ port: smallServer.port, key: small.key }),
    say,
  })
  return [
    { ...rate('list', 'requests/s', listed, 0.75), delay: pages.delay() },
    ...more,
    { bench: 'list-growth', ...growth, unit: 'ms a request', ratio: 1.5 / (growth.figure / growth.baseline), goal: 1 },
  ]
}

/** Gives clients addresses and telephones, which lists show. */
function placeClients(database: string): void {
  const db = new Database(database)
  db.exec(`update clients set telephone = '+3347200' || (1000 + id), lieu = json_object('ligne1',
    id || ' rue des Acacias', 'code_postal', '69700', 'ville', 'Givors', 'lat', 45.59, 'lon', 4.77, 'acces', null)`)
  db.close()
}

/**
 * A bare `node:http` server that runs the list's statements, as the store compiles them. The town is a constant, which
 * costs nothing.
 */
export async function bareServer({ database }: { database: string }): Promise<{ port: number }> {
  const db = new Database(database, { readonly: true })
  const total = db
    .prepare(
      `select coalesce((select sum("nombre") as "total" from "case_tallies" where "account_id" = +?), 0) as "total"`,
    )
    .pluck()
  const page = db.prepare(`select "cases"."id", "annee", "numero", "client_id", "clients"."nom" as "client_nom",
      "clients"."prenom" as "client_prenom", "poseur_id", "poseurs"."nom" as "poseur_nom", "description", "statut",
      "priorite", "date_creation", "clients"."telephone", 'Givors' as "ville"
    from (
      select "cases"."account_id", "cases"."id" from "cases" where "cases"."account_id" = +?
      order by "date_creation" desc, "cases"."id" desc limit +? offset +?
    ) as "page"
    inner join "cases" on "cases"."account_id" = "page"."account_id" and "cases"."id" = "page"."id"
    inner join "clients" on "clients"."account_id" = "cases"."account_id" and "clients"."id" = "cases"."client_id"
    left join "poseurs" on "poseurs"."account_id" = "cases"."account_id" and "poseurs"."id" = "cases"."poseur_id"
    order by "date_creation" desc, "cases"."id" desc`)

  const server = createServer((_, response) => {
    const data = page.all('default', 50, 0)
    const body = JSON.stringify({
      success: true,
      data,
      pagination: { page: 1, limite: 50, total: total.get('default') },
    })
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  })
  return listen(server)
}
