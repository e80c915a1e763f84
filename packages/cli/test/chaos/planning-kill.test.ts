import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { tables } from '../../../planning/src/kysely/tables.js'
import type { KyselyTables } from '../../../storage-kysely/src/tables/table.js'
import { stores } from '../stores.js'
import { call, local, readyWorkplace } from '../workplace.js'
import { committer } from './committer.js'
import { isFullCount } from './full-count.js'
import { refuseHalfCommits } from './whole-commits.js'

const rounds = isFullCount ? 100 : 2
const clientsAtOnce = 8
const atOnce = 50
const quarter = 15 * 60_000
/** A Tuesday, 08:00 in Paris. */
const morning = Date.UTC(2027, 4, 4, 6)

/** A shop with two installers and two services over its store. */
async function shopWithTwoServices(settings: Readonly<Record<string, string>>) {
  const shop = await readyWorkplace({ ...local, SAV_RATE_LIMIT: 'off', SAV_LOG_LEVEL: 'warn', ...settings })
  await refuseHalfCommits(shop)
  for (const nom of ['Karim Benali', 'Ida Roux']) await shop.json(['poseurs', 'add', '--nom', nom])
  const permissions = ['--permissions', 'planning:read,planning:write']
  const { key } = await shop.json<{ key: string }>(['keys', 'create', '--name', 'agenda', ...permissions])
  const { storage } = await committer(shop)
  const db = storage.db.withTables<KyselyTables<typeof tables>>()
  const serve = () => shop.start('serve --port 0 --no-worker')
  const services = [serve(), serve()]
  return {
    urls: () => Promise.all(services.map((service) => service.url())),
    async kill(index: number) {
      await services[index]?.kill('SIGKILL')
    },
    restart(index: number) {
      services[index] = serve()
    },
    send: (url: string, method: string, path: string, body: unknown) => call(url, key, method, path, body),
    /** All appointments, the times that they take, and their events. */
    async stored() {
      const taken = await db.selectFrom('rdv_personnes').selectAll().where('debut_ms', 'is not', null).execute()
      const rdvs = await db.selectFrom('rdv').select(['id', 'poseur_id', 'debut', 'fin', 'statut', 'version']).execute()
      const events = await db.selectFrom('events').select(['event', 'body']).execute()
      const told = events
        .filter(({ event }) => event.startsWith('rdv.'))
        .map(({ event, body }) => ({ event, ...JSON.parse(body).data }))
      return { taken, rdvs, told }
    },
  }
}

type Shop = Awaited<ReturnType<typeof shopWithTwoServices>>
type StoredState = Awaited<ReturnType<Shop['stored']>>

/** Each version of each appointment has one event, and there are no others. */
function expectAllTold({ rdvs, told }: StoredState): void {
  const versions = rdvs.flatMap(({ id, version }) =>
    Array.from({ length: version }, (_, index) => `${id} version ${index + 1}`),
  )
  expect(told.map(({ id, version }) => `${id} version ${version}`).toSorted()).toEqual(versions.toSorted())
  const cancelled = rdvs.filter(({ statut }) => statut === 'annule').map(({ id }) => id)
  expect(new Set(told.filter(({ event }) => event === 'rdv.cancelled').map(({ id }) => id))).toEqual(new Set(cancelled))
}

/**
 * Each active appointment occupies exactly its own time of its installer, and no two appointments of an installer
 * overlap.
 */
function expectApart({ rdvs, taken }: StoredState): void {
  const active = rdvs.filter(({ statut }) => statut !== 'annule')
  const times = active.map(
    ({ id, poseur_id, debut, fin }) => `${id} ${poseur_id} ${Date.parse(debut)} ${Date.parse(fin)}`,
  )
  const held = taken.map(({ rdv_id, poseur_id, debut_ms, fin_ms }) => `${rdv_id} ${poseur_id} ${debut_ms} ${fin_ms}`)
  expect(held.toSorted()).toEqual(times.toSorted())
  const byStart = active.toSorted((a, b) => a.poseur_id - b.poseur_id || Date.parse(a.debut) - Date.parse(b.debut))
  for (const [index, { poseur_id, debut }] of byStart.entries()) {
    const before = byStart[index - 1]
    if (before?.poseur_id === poseur_id) expect(Date.parse(before.fin)).toBeLessThanOrEqual(Date.parse(debut))
  }
}

const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(Math.random() * values.length)]

/** Conflicting bookings, moves and cancellations: two installers on three days that have hardly any time left. */
function callersOf({ send }: Shop) {
  /**
   * The installer and time of each appointment, from the last answer. Appointments with an unanswered call are left
   * out.
   */
  const acknowledged = new Map<number, string>()
  const unexpected: unknown[] = []
  const counts = { booked: 0, moved: 0, cancelled: 0, refused: 0, tooBusy: 0, cutOff: 0 }
  const wanted = () => ({
    poseur_id: pick([1, 2]),
    debut: new Date(morning + Math.floor(Math.random() * 3 * 96) * quarter).toISOString(),
    duree_minutes: pick([15, 30, 45, 60, 90]),
  })
  const cancellation = { statut: 'annule', motif_annulation: 'Reporté à la demande du client.' }

  /** Makes one call; resolves to false if the service did not answer. */
  async function step(url: string): Promise<boolean> {
    const id = Math.random() < 0.5 ? undefined : pick([...acknowledged.keys()])
    const before = id === undefined ? undefined : acknowledged.get(id)
    // Removed during the call, so that no other caller changes the same appointment.
    if (id !== undefined) acknowledged.delete(id)
    const kind = id === undefined ? 'booked' : Math.random() < 0.5 ? 'moved' : 'cancelled'
    const call =
      kind === 'booked'
        ? send(url, 'POST', '/v1/planning/rdv', { client_id: 1, ...wanted() })
        : send(url, 'PATCH', `/v1/planning/${id}`, kind === 'moved' ? wanted() : cancellation)
    const answer = await call.catch(() => null)
    if (answer === null) counts.cutOff += 1
    else if (answer.status === 409) {
      counts.refused += 1
      if (id !== undefined && before !== undefined) acknowledged.set(id, before)
    } else if (answer.status === 503) counts.tooBusy += 1
    else if (answer.status !== 200 && answer.status !== 201) unexpected.push(answer)
    else {
      counts[kind] += 1
      const { data } = answer.body
      if (kind !== 'cancelled') acknowledged.set(data.id, `${data.poseur.id} ${data.debut} ${data.fin}`)
    }
    return answer !== null
  }
  return { acknowledged, unexpected, counts, step }
}

async function expectOneOfMany({ urls, send, stored }: Shop): Promise<void> {
  const asked = Array.from({ length: atOnce }, (_, n) => ({
    client_id: 1,
    poseur_id: 1,
    // Some begin later and some end earlier, but all of them overlap.
    debut: new Date(morning + (n % 4) * quarter).toISOString(),
    duree_minutes: 120 - 15 * (n % 3),
  }))
  const [left = '', right = ''] = await urls()
  /** Books, and repeats the call while the service is too busy. */
  const book = async (url: string, body: unknown) => {
    for (;;) {
      const answer = await send(url, 'POST', '/v1/planning/rdv', body)
      if (answer.status !== 503) return answer
    }
  }
  const answers = await Promise.all(asked.map((body, n) => book(n % 2 === 0 ? left : right, body)))
  const [made, ...more] = answers.filter(({ status }) => status === 201)
  expect(more).toEqual([])
  const refused = answers.filter(({ status }) => status !== 201)
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.conflit?.id}`))).toEqual(
    new Set([`409 ${made?.body.data.id}`]),
  )
  const { jeton } = refused[0]?.body.alternatives[0] ?? {}
  expect((await send(right, 'POST', '/v1/planning/rdv', { jeton, client_id: 1 })).status).toBe(201)
  const found = await stored()
  expect(found.rdvs).toHaveLength(2)
  expectAllTold(found)
  expectApart(found)
}

async function expectWholeAfterKills(shop: Shop): Promise<void> {
  const { acknowledged, unexpected, counts, step } = callersOf(shop)
  for (let round = 0; round < rounds; round += 1) {
    const urls = await shop.urls()
    let going = true
    const begun = Promise.withResolvers<void>()
    const calling = Array.from({ length: clientsAtOnce }, async (_, n) => {
      while (going && (await step(urls[n % 2] ?? ''))) begun.resolve()
    })
    // In every other round, the kill may come before the first answer.
    if (round % 2 === 0) await begun.promise
    await delay(20 + Math.random() * 250)
    await shop.kill(round % 2)
    going = false
    await Promise.all(calling)
    expect(unexpected).toEqual([])
    if (isFullCount) shop.restart(round % 2)
  }

  const found = await shop.stored()
  if (isFullCount) console.info({ rounds, ...counts, rdv: found.rdvs.length, events: found.told.length })
  expect(counts.booked).toBeGreaterThan(rounds / 4)
  expect(counts.cutOff).toBeGreaterThan(0)
  expectAllTold(found)
  expectApart(found)
  const now = new Map(found.rdvs.map(({ id, poseur_id, debut, fin }) => [id, `${poseur_id} ${debut} ${fin}`]))
  expect([...acknowledged].filter(([id, state]) => now.get(id) !== state)).toEqual([])
}

describe.each(stores)('on %s', (_, settings) => {
  it(`two services accept one of ${atOnce} simultaneous bookings of the same time, and after ${rounds} kills during conflicting changes, no appointments overlap and each change has its event`, {
    timeout: rounds * 10_000 + 120_000,
  }, async () => {
    const shop = await shopWithTwoServices(await settings())
    await expectOneOfMany(shop)
    await expectWholeAfterKills(shop)
  })
})
