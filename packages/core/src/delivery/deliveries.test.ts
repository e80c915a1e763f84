import { describe, expect, it } from 'vitest'
import { as, openSav, recordingHttp } from '../../test/open-sav.js'
import { ConflictError, NotFoundError, SavError, ValidationError } from '../errors.js'
import { httpAnswer } from '../testing/index.js'
import type { SendResult } from './channel.js'

const description = 'La porte du meuble bas ne ferme plus.'

/** A service with one endpoint, a receiver that gives these answers, and `count` cases created a minute apart. */
async function withDeliveries(count: number, answer: () => SendResult | Promise<SendResult> = () => httpAnswer(200)) {
  const { http, posted } = recordingHttp(answer)
  const opened = await openSav({ http, schedule: [0, 5_000, 10_000] })
  const { sav, actor, client, clock } = opened
  const endpoint = await sav.webhooks.endpoints.add(as('default'), {
    url: 'https://receiver.example/',
    events: ['sav.created', 'sav.closed'],
  })
  const create = () => sav.cases.create(actor, { client_id: client.id, description })
  for (let created = 0; created < count; created += 1) {
    await create()
    await clock.advance(60_000)
  }
  const ids = async (input = {}) => (await sav.webhooks.deliveries.list('default', input)).items.map(({ id }) => id)
  return { ...opened, posted, endpoint, create, ids }
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.catch((reason: unknown) => reason)
  if (error instanceof SavError) return error.code
  throw error
}

describe('the history', () => {
  it('shows each delivery with its event, endpoint, state and next attempt', async () => {
    const { sav, endpoint, clock } = await withDeliveries(1)
    const created_at = new Date(clock.now() - 60_000).toISOString()
    const { items, curseur } = await sav.webhooks.deliveries.list('default', {})
    expect(curseur).toBeNull()
    expect(items).toMatchObject([
      {
        event: 'sav.created',
        reference: 'SAV-2026-00001',
        endpoint_id: endpoint.id,
        channel: 'webhook',
        state: 'pending',
        attempt_count: 0,
        next_attempt_at: created_at,
        last_status: null,
        created_at,
      },
    ])
  })

  it('is newest first, 50 at a time', async () => {
    const { sav, ids } = await withDeliveries(51)
    const { items, curseur } = await sav.webhooks.deliveries.list('default', {})
    expect(items).toHaveLength(50)
    expect(curseur).not.toBeNull()
    const dates = items.map(({ created_at }) => created_at)
    expect(dates).toEqual(dates.toSorted().toReversed())
    expect(await ids({ limite: 51 })).toHaveLength(51)
  })

  it('filters by state, endpoint, event and time, also together', async () => {
    const { sav, worker, actor, endpoint, ids, clock } = await withDeliveries(2)
    const other = await sav.webhooks.endpoints.add(as('default'), {
      url: 'https://other.example/',
      events: ['sav.closed'],
    })
    worker.start()
    await clock.advance(1_000)
    await worker.stop()
    await sav.cases.close(actor, 1, { resolution: 'Charnière remplacée.' })
    expect(await ids({ state: 'delivered' })).toHaveLength(2)
    expect(await ids({ state: 'pending' })).toHaveLength(2)
    expect(await ids({ state: 'failed' })).toEqual([])
    expect(await ids({ endpoint_id: other.id })).toHaveLength(1)
    expect(await ids({ event: 'sav.closed', endpoint_id: endpoint.id, state: 'pending' })).toHaveLength(1)
    const now = new Date(clock.now()).toISOString()
    expect(await ids({ since: now })).toHaveLength(2)
    expect(await ids({ since: new Date(clock.now() + 1).toISOString() })).toEqual([])
    expect(await ids({ since: '2026-01-15' })).toHaveLength(4)
  })

  it.each([
    ['limite', 0],
    ['limite', 1.5],
    ['limite', '50'],
    ['state', 'sent'],
    ['since', 'hier'],
    ['since', '2026-02-30'],
    ['curseur', ''],
    ['curseur', 'x'],
    ['curseur', Buffer.from('2026-01-15T10:30:00.000Z').toString('base64url')],
    ['curseur', Buffer.from('hier dlv_1').toString('base64url')],
    ['curseur', Buffer.from('2026-01-15T10:30:00.000Z evt_1').toString('base64url')],
    ['curseur', Buffer.from('2026-01-15T10:30:00.000Z dlv_1 x').toString('base64url')],
    ['page', 1],
  ])('refuses %s = %j', async (field, value) => {
    const { sav } = await withDeliveries(1)
    const asked = await sav.webhooks.deliveries.list('default', { [field]: value }).catch((error: unknown) => error)
    expect(asked).toBeInstanceOf(ValidationError)
    expect(asked instanceof ValidationError && asked.details.map((detail) => detail.field)).toEqual([field])
  })

  it('names a bad curseur beside every other bad field', async () => {
    const { sav } = await withDeliveries(0)
    const input = JSON.parse('{"limite":0,"curseur":"x","etat":"failed"}')
    const asked = await sav.webhooks.deliveries.list('default', input).catch((error: unknown) => error)
    expect(asked instanceof ValidationError && asked.details.map(({ field }) => field).toSorted()).toEqual([
      'curseur',
      'etat',
      'limite',
    ])
  })
})

describe('one delivery', () => {
  it('shows every attempt, oldest first', async () => {
    const answers = [httpAnswer(500, { response: 'down', durationMs: 7 }), httpAnswer(503)]
    const { sav, worker, clock, ids } = await withDeliveries(1, () => answers.shift() ?? httpAnswer(200))
    worker.start()
    await clock.advance(10_500)
    const [id = ''] = await ids()
    const { attempts, body, ...delivery } = await sav.webhooks.deliveries.get('default', id)
    expect(JSON.parse(body ?? '')).toMatchObject({ event: delivery.event, data: { event_id: delivery.event_id } })
    expect(delivery).toMatchObject({ id, state: 'delivered', attempt_count: 3, last_status: 200 })
    expect(delivery).not.toHaveProperty('account_id')
    expect(delivery.reference).toMatch(/^SAV-\d{4}-00001$/)
    expect(attempts.map(({ n, status }) => [n, status])).toEqual([
      [1, 500],
      [2, 503],
      [3, 200],
    ])
    expect(attempts[0]).toMatchObject({ duration_ms: 7, error: 'HTTP 500', response: 'down' })
  })
})

describe('a retry', () => {
  it('of a failed delivery begins a new run of attempts, and their numbers continue', async () => {
    const { sav, worker, clock, ids, posted } = await withDeliveries(1, () => httpAnswer(500))
    worker.start()
    await clock.advance(11_500)
    const [id = ''] = await ids({ state: 'failed' })
    expect(posted).toHaveLength(3)

    const replayedAt = clock.now()
    expect(await sav.webhooks.deliveries.retry(as('default'), id)).toMatchObject({
      id,
      state: 'pending',
      attempt_count: 3,
      next_attempt_at: new Date(replayedAt).toISOString(),
    })
    await clock.advance(0)
    expect(posted).toHaveLength(4)
    await clock.advance(10_500)
    const { attempts, state } = await sav.webhooks.deliveries.get('default', id)
    expect(state).toBe('failed')
    expect(attempts.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6])
    expect(new Set(posted.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(posted.map(({ body }) => body)).size).toBe(1)
  })

  it('to a removed endpoint is refused, and changes nothing', async () => {
    const { sav, worker, clock, endpoint, ids } = await withDeliveries(1)
    worker.start()
    await clock.advance(500)
    await sav.webhooks.endpoints.remove(as('default'), endpoint.id)
    const [id = ''] = await ids({ state: 'delivered' })
    const refused = sav.webhooks.deliveries.retry(as('default'), id)
    await expect(refused).rejects.toBeInstanceOf(ConflictError)
    await expect(refused).rejects.toThrow(`Endpoint ${endpoint.id} was removed`)
    await clock.advance(120_000)
    await worker.stop()
    expect(await ids({ state: 'delivered' })).toEqual([id])
  })

  it('during an attempt is refused', async () => {
    const answer = Promise.withResolvers<SendResult>()
    const { sav, worker, clock, ids } = await withDeliveries(1, () => answer.promise)
    worker.start()
    await clock.advance(250)
    const [id = ''] = await ids()
    await expect(sav.webhooks.deliveries.retry(as('default'), id)).rejects.toThrow(ConflictError)
    expect(await codeOf(sav.webhooks.deliveries.retry(as('default'), id))).toBe('delivery_in_attempt')
    answer.resolve(httpAnswer(200))
    await clock.advance(250)
    expect(await sav.webhooks.deliveries.get('default', id)).toMatchObject({ state: 'delivered', attempt_count: 1 })
  })
})

describe('the health of deliveries', () => {
  it('counts waiting and ended deliveries for an account, and deliveries by the hour for an endpoint', async () => {
    const answers = [httpAnswer(200), httpAnswer(503)]
    const { sav, worker, clock, endpoint, create, addAccount } = await withDeliveries(
      0,
      () => answers.shift() ?? httpAnswer(200),
    )
    const { deliveries } = sav.webhooks
    expect(await deliveries.health('default')).toEqual({
      en_attente: 0,
      dues: 0,
      en_cours: 0,
      plus_ancienne: null,
      par_seconde: 0,
      livrees_24h: 0,
      echecs_24h: 0,
      canaux: ['webhook'],
      base: { moteur: 'SQLite', schema: expect.any(String) },
    })
    await create()
    expect(await deliveries.health('default')).toMatchObject({ en_attente: 1, dues: 1, en_cours: 0 })
    const at = new Date(clock.now()).toISOString()
    worker.start()
    await clock.advance(1000)
    await create()
    const second = new Date(clock.now()).toISOString()
    await clock.advance(1000)
    await worker.stop()
    // The next attempt of the second delivery is not due yet.
    const oneWaits = { en_attente: 1, dues: 0, en_cours: 0, plus_ancienne: second }
    const ended = { livrees_24h: 1, echecs_24h: 0 }
    expect(await deliveries.health('default')).toMatchObject({ ...oneWaits, ...ended, par_seconde: 0.02 })
    const { heures, derniere_erreur } = await deliveries.activity('default', endpoint.id)
    expect(heures).toHaveLength(24)
    const debut = `${at.slice(0, 13)}:00:00.000Z`
    expect(heures.at(-1)).toEqual({ debut, livrees: 1, echecs: 0, en_attente: 1 })
    expect(heures.slice(0, -1).every(({ livrees, echecs, en_attente }) => livrees + echecs + en_attente === 0)).toBe(
      true,
    )
    expect(derniere_erreur).toMatchObject({ date: second, statut: 503 })
    await addAccount('other')
    await expect(deliveries.activity('other', endpoint.id)).rejects.toThrow(NotFoundError)
    expect(await deliveries.health('other')).toMatchObject({ en_attente: 0, par_seconde: 0, livrees_24h: 0 })
    await clock.advance(58_001)
    expect(await deliveries.health('default')).toMatchObject({ dues: 1, par_seconde: 0, ...ended })
  })
})
