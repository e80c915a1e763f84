import { createHash, randomBytes } from 'node:crypto'
import { as, type ComposedSav, composed } from '#composed'
import { descriptions } from '#descriptions'
import { photo } from '#photo'
import { runPart } from '#processes'
import { everyWordIndexed } from '#shop'
import type { ShopEnv } from '#shop-env'
import { execute, wordsOf } from '#sql'

export const sizes = {
  cases: 20_000,
  descriptionLength: 2000,
  closed: 3000,
  clients: 500,
  installers: 15,
  visitsADay: 8,
  days: 60,
  deliveries: 10_000,
  audited: 5000,
} as const

/** The values that calls of the account need. */
export interface BigAccount {
  readonly key: string
  /** A key of an account without data, for concurrent calls. */
  readonly otherKey: string
  readonly client_id: number
  readonly poseur_id: number
  /** Values of path parameters that no list has, by the parameter's name. */
  readonly params: Readonly<Record<string, string>>
}

/** Fills the account `default` of a shop, with all deliveries done, and creates an account `other`. About 30 s. */
export const fillBigAccount = (env: ShopEnv): Promise<BigAccount> => runPart(import.meta.url, fill, { env })

const hour = 3_600_000
const day = 24 * hour
const actor = as('default')

export async function fill({ env }: { env: ShopEnv }): Promise<BigAccount> {
  let at = Date.now()
  const composition = await composed(env, { now: () => at })
  const { sav, storage } = composition
  const key = await everyPermission(composition, 'default')
  await sav.accounts.add(as('other'), 'other')
  const otherKey = await everyPermission(composition, 'other')

  const clients: number[] = []
  for (let n = 0; n < sizes.clients; n += 1) {
    const lieu = { ligne1: `${n + 1} rue des Lilas`, code_postal: '69003', ville: 'Lyon', lat: 45.75, lon: 4.85 }
    const telephone = `+3347200${String(n).padStart(4, '0')}`
    clients.push((await sav.directory.clients.add(actor, { nom: `Martin ${n}`, prenom: 'Léa', telephone, lieu })).id)
  }
  const poseurs: number[] = []
  for (let n = 0; n < sizes.installers; n += 1)
    poseurs.push((await sav.directory.poseurs.add(actor, { nom: `Poseur ${n}` })).id)

  const texts = longDescriptions(200)
  const ids: number[] = []
  while (ids.length < sizes.cases) {
    at = Date.now() - Math.floor(((sizes.cases - ids.length) / sizes.cases) * 365 * day)
    // From then on, each creation makes one delivery.
    if (ids.length === sizes.cases - sizes.deliveries)
      await sav.webhooks.endpoints.add(actor, { url: 'http://127.0.0.1:9/', events: ['sav.created'] })
    const created = await Promise.all(
      Array.from({ length: 500 }, (_, n) => {
        const client_id = clients[(ids.length + n) % clients.length] ?? 0
        return sav.cases.create(actor, { client_id, description: texts[(ids.length + n) % texts.length] ?? '' })
      }),
    )
    ids.push(...created.map(({ id }) => id))
  }
  at = Date.now()
  for (let n = 0; n < sizes.closed; n += 50)
    await Promise.all(
      ids
        .slice(n, n + 50)
        .map((id) => sav.cases.close(actor, id, { resolution: 'Charnière remplacée et porte réglée.' })),
    )
  const newest = ids.at(-1) ?? 0
  await sav.cases.addPhotos(actor, newest, { photos: [`data:image/jpeg;base64,${(await photo()).toString('base64')}`] })
  for (let n = 0; n < 500; n += 1) await sav.cases.comment(actor, newest, { texte: texts[n % texts.length] ?? '' })
  // The storage that created the cases indexes their words, so it stays open until all are indexed.
  await everyWordIndexed(env)
  await storage.close()

  const rdvPage = `sav_rdv_${randomBytes(32).toString('base64url')}`
  await addVisits(env, { poseurs, first: Math.min(...ids), rdvPage })
  await addAudited(env)
  await execute(env, [
    'delete from delivery_queue',
    `update deliveries set state = 'delivered', attempt_count = 1, next_attempt_at = null, last_status = 200`,
  ])
  return { key, otherKey, client_id: clients[0] ?? 0, poseur_id: poseurs[0] ?? 0, params: { rdvPage } }
}

async function everyPermission({ sav }: ComposedSav, account_id: string): Promise<string> {
  const expire = new Date(Date.now() + 1000 * day).toISOString()
  return (await sav.keys.create(as(account_id), { nom: 'bench', permissions: Object.keys(sav.permissions), expire }))
    .key
}

/** Descriptions of several sentences, as customers write them. */
function longDescriptions(count: number): string[] {
  const parts = descriptions(count)
  return parts.map((_, n) => {
    let text = ''
    for (let m = n; text.length < sizes.descriptionLength; m += 1) text += `${parts[m % parts.length]} `
    return text.slice(0, sizes.descriptionLength).trimEnd()
  })
}

interface Visited {
  readonly poseurs: readonly number[]
  /** The id of the first case. */
  readonly first: number
  readonly rdvPage: string
}

/** Adds visits from twenty days ago to forty days ahead, an hour each, on the hour. Past visits have taken place. */
async function addVisits(env: ShopEnv, { poseurs, first, rdvPage }: Visited): Promise<void> {
  const count = sizes.installers * sizes.visitsADay * sizes.days
  const { numbers, instant } = wordsOf(env, count)
  const begin = Math.floor(Date.now() / day) * 86_400 - 20 * 86_400
  const slot = `((i - 1) / ${sizes.installers})`
  const debut = `(${begin} + ${slot} / ${sizes.visitsADay} * 86400 + (6 + ${slot} % ${sizes.visitsADay}) * 3600)`
  const fin = `(${debut} + 3600)`
  const poseur = `${poseurs[0]} + (i - 1) % ${sizes.installers}`
  const past = `${debut} < ${Math.floor(Date.now() / 1000)} - 7200`
  const made = instant(String(Math.floor(Date.now() / 1000)))
  const caseOf = `${first} + (i * 7) % ${sizes.cases}`
  await execute(env, [
    `with recursive ${numbers} insert into rdv
      (account_id, id, type, statut, sav_id, client_id, poseur_id, debut, fin, fuseau, bilan, trajet_avant_minutes,
        date_creation, date_modification, version)
      select 'default', i, 'sav', case when ${past} then 'realise' else 'planifie' end, ${caseOf},
        (select client_id from cases where id = ${caseOf}), ${poseur}, ${instant(debut)}, ${instant(fin)}, 'Europe/Paris',
        case when ${past} then '{"resultat":"fait","compte_rendu":"Réglé.","pieces":[]}' end, 20, ${made}, ${made}, 1
      from n`,
    `with recursive ${numbers} insert into rdv_personnes
      (account_id, rdv_id, poseur_id, ordre, debut, debut_ms, fin_ms)
      select 'default', i, ${poseur}, 0, ${instant(debut)}, ${debut} * 1000, ${fin} * 1000 from n`,
    `insert into interventions
      (account_id, case_id, rdv_id, poseur_id, type, date_debut, date_fin, resultat, compte_rendu, pieces)
      select account_id, sav_id, id, poseur_id, type, debut, fin, 'fait', 'Réglé.',
        '[{"designation":"Charnière ' || id % 200 || '","quantite":1}]'
      from rdv where statut = 'realise'`,
    `insert into rdv_pages (hash, account_id, rdv_id)
      select '${createHash('sha256').update(rdvPage).digest('hex')}', account_id, id from rdv
      where statut = 'planifie' order by debut desc limit 1`,
  ])
}

async function addAudited(env: ShopEnv): Promise<void> {
  const { numbers, instant, hex } = wordsOf(env, sizes.audited)
  await execute(env, [
    `with recursive ${numbers} insert into audit
      (account_id, time, id, ip, method, endpoint, status, duration_ms, request_id)
      select 'default', ${instant(`${Math.floor(Date.now() / 1000)} - i * 60`)}, 'aud_' || ${hex('i', 26)}, '192.0.2.1', 'GET',
        '/api/v1/sav', 200, 3, 'bench-' || i
      from n`,
  ])
}
