import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../../test/case-calls.js'
import { type Answer, onSqlite, served } from '../../../test/service.js'

const all = '/api/v1/webhooks'
const livraisons = `${all}/livraisons`
const canary = 'canary-of-a-header'

describe('webhooks', async () => {
  const { service, door } = await served(onSqlite.open, await onSqlite.store())
  const answers: Answer[] = []

  async function call(method: string, path: string, body?: unknown, headers = service.auth()): Promise<Answer> {
    const answer = await door.call(method, path, { headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    answers.push(answer)
    return answer
  }
  const get = (path: string) => call('GET', path)
  const post = (path: string, body?: unknown) => call('POST', path, body)
  const creation = (more = {}) => ({ url: 'https://receiver.example/hook', events: ['sav.created'], ...more })
  const create = async (more = {}) => (await post(all, creation(more))).json.data
  const newCase = () =>
    post('/api/v1/sav', { client_id: service.client_id, description: 'La porte du meuble bas ne ferme plus.' })
  /** A delivery of a new case to a new endpoint. */
  async function delivery(): Promise<{ id: string; endpoint_id: string }> {
    const endpoint = await create()
    await newCase()
    return (await get(`${livraisons}?endpoint_id=${endpoint.id}`)).json.data[0]
  }

  describe('endpoints', () => {
    it('show their secret only when they are created, and never the values of their headers', async () => {
      const answer = await post(all, creation({ description: 'Caisse', headers: { 'X-Token': canary } }))
      expect(answer.status).toBe(201)
      const { secret, ...shown } = answer.json.data
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(shown).toMatchObject({
        id: expect.stringMatching(/^wh_/),
        url: 'https://receiver.example/hook',
        events: ['sav.created'],
        description: 'Caisse',
        headers: ['X-Token'],
        disabled_at: null,
      })
      expect(answer.headers['location']).toBe(`${all}/${shown.id}`)
      expect((await get(`${all}/${shown.id}`)).json).toEqual({ success: true, data: shown })
      expect((await get(all)).json.data).toContainEqual({ ...shown, sante: expect.objectContaining({ etat: 'ok' }) })

      const changed = await call('PUT', `${all}/${shown.id}`, { events: ['sav.closed'], headers: { 'X-Two': canary } })
      expect(changed.status).toBe(200)
      expect(changed.json.data).toMatchObject({ url: shown.url, events: ['sav.closed'], headers: ['X-Two'] })
      const leaks = answers.filter(({ text }) => text.includes(secret) || text.includes(canary))
      expect(leaks).toEqual([answer])
    })
  })

  describe('deliveries', () => {
    it('are counted only for the caller’s own account', async () => {
      const health = async (headers = service.auth()) =>
        (await call('GET', '/api/v1/sante', undefined, headers)).json.data
      const { endpoint_id: target } = await delivery()
      const waiting = (await get(`${livraisons}?state=pending&limite=1000`)).json.data.length
      const now = new Date(service.clock.now()).toISOString()
      expect(await health()).toMatchObject({ en_attente: waiting, dues: waiting, en_cours: 0, par_seconde: 0 })

      const request = { target, channel: 'webhook', lane: 'first', limit: 1 } as const
      const lease = { now, leasedUntil: new Date(service.clock.now() + 60_000).toISOString(), token: 'mine' }
      const claimed = await service.storage.queue.claim([request], lease)
      expect(await health()).toMatchObject({ en_attente: waiting, dues: waiting - 1, en_cours: 1 })

      const attempt = { n: 1, started_at: now, duration_ms: 5, status: 200 }
      const answered = { ...attempt, error: null, error_code: null, response_headers: null, response: null }
      const delivered = { state: 'delivered', attempt_count: 1, run_attempt_count: 1, next_attempt_at: null } as const
      const update = { ...delivered, last_status: 200, last_error: null, last_error_code: null }
      await service.storage.queue.record(claimed.map((one) => ({ delivery: one, attempt: answered, update })))
      const rest = { en_attente: waiting - 1, dues: waiting - 1, en_cours: 0 }
      expect(await health()).toMatchObject({ ...rest, par_seconde: 0.02, livrees_24h: 1 })

      const base = { moteur: 'SQLite', schema: expect.stringMatching(/^\d{4}-/) }
      const none = { en_attente: 0, dues: 0, en_cours: 0, plus_ancienne: null, livrees_24h: 0, echecs_24h: 0 }
      expect(await health(service.otherAuth)).toEqual({ ...none, par_seconde: 0, canaux: ['webhook'], base })
    })

    it('show their content only to callers who may read the case', async () => {
      const { id } = await delivery()
      const { json } = await get(`${livraisons}/${id}`)
      expect(JSON.parse(json.data.body)).toMatchObject({
        event: json.data.event,
        data: { event_id: json.data.event_id, reference: json.data.reference },
      })
      expect(json.data.reference).toMatch(/^SAV-\d{4}-\d{5}$/)
      const { key } = (await post('/api/v1/cles', { nom: 'watcher', permissions: ['webhooks:read', 'planning:read'] }))
        .json.data
      const headers = { ...service.auth(), authorization: `Bearer ${key}` }
      const told = await call('GET', `${livraisons}/${id}`, undefined, headers)
      expect(told.json.data).toEqual({ ...json.data, reference: null, body: null })
      const listed = await call('GET', livraisons, undefined, headers)
      expect(new Set(listed.json.data.map((each: { reference: unknown }) => each.reference))).toEqual(new Set([null]))
      const again = await post(`${livraisons}/${id}/rejouer`)
      expect(again.json.data).toMatchObject({ id, reference: json.data.reference })
    })
  })

  describe('bulk replay', () => {
    it('is counted in a dry run, started, shown with its progress, and cancelled', async () => {
      const { endpoint_id } = await delivery()
      const filter = { state: 'pending', endpoint_id, event: 'sav.created', since: '2020-01-01' }
      const counted = await post(`${livraisons}/rejouer`, { ...filter, dry_run: true })
      expect(counted.status).toBe(200)
      expect(counted.json).toEqual({ success: true, data: { matched: 1 } })

      const begun = await post(`${livraisons}/rejouer`, filter)
      expect(begun.status).toBe(202)
      const { id } = begun.json.data
      expect(begun.json.data).toMatchObject({ matched: 1, retried: 0, state: 'running', ended_at: null })
      expect(begun.headers['location']).toBe(`${livraisons}/rejouer/${id}`)
      expect((await get(`${livraisons}/rejouer/${id}`)).json.data).toEqual(begun.json.data)
      expect((await get(`${livraisons}/rejouer`)).json.data).toContainEqual(begun.json.data)

      const cancelled = await post(`${livraisons}/rejouer/${id}/annuler`)
      expect(cancelled.status).toBe(200)
      expect(cancelled.json.data).toMatchObject({ id, state: 'cancelled', ended_at: expect.any(String) })
      expect((await post(`${livraisons}/rejouer/${id}/annuler`)).json).toEqual(cancelled.json)
    })
  })

  it('a command without input accepts only an empty body, and no parameters', async () => {
    const { id } = await create()
    for (const refused of [
      await post(`${all}/${id}/activer`, { colour: 'red' }),
      await post(`${all}/${id}/activer?colour=red`),
    ])
      expect([refused.status, fieldsOf(refused)]).toEqual([422, ['colour']])
    const { 'content-type': _, ...headers } = service.auth()
    const bare = await door.call('POST', `${all}/${id}/activer`, { headers })
    expect(bare.status).toBe(200)
    const empty = { headers: { ...headers, 'content-type': 'text/plain' }, body: () => Readable.from([]) }
    expect((await door.call('POST', `${all}/${id}/activer`, empty)).status).toBe(200)
    const huge = { headers: { ...headers, 'content-length': String(72 * 1024 * 1024 + 1) }, body: '{}' }
    expect((await door.call('POST', `${all}/${id}/activer`, huge)).status).toBe(413)
    const text = await door.call('POST', `${all}/${id}/activer`, { headers, body: '{}' })
    expect(text.status).toBe(415)
    const malformed = await door.call('POST', `${all}/${id}/activer`, { headers: service.auth(), body: '{' })
    expect(malformed.status).toBe(400)
  })
})
