import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import type { ComposeOptions } from '../../test/composed.js'
import { fetchDoor, openService } from '../../test/service.js'
import type { AuthenticatedActor } from './authentication.js'

const zoe = { account_id: 'default', type: 'utilisateur', id: 'zoe', nom: 'Zoé Martin', permissions: 'all' } as const
const people: Readonly<Record<string, AuthenticatedActor>> = {
  zoe,
  max: { ...zoe, id: 'max', nom: 'Max Petit', permissions: ['sav:read'] },
  elsewhere: { ...zoe, account_id: 'other' },
}

async function open(options: ComposeOptions = {}) {
  const service = await openService(await memoryStorage(), {
    authenticate: (request) => people[request.header('x-user') ?? ''] ?? null,
    ...options,
  })
  const door = fetchDoor(service.api)
  const json = { 'content-type': 'application/json' }
  const create = (headers: Record<string, string>) => {
    const body = JSON.stringify({ client_id: service.client_id, description: 'La façade est rayée.' })
    return door.call('POST', '/api/v1/sav', { headers: { ...json, ...headers }, body })
  }
  return { service, door, create, timestamp: service.auth()['x-request-timestamp'] ?? '' }
}

describe('the authentication of a host', () => {
  it('identifies the caller in the history and the audit', async () => {
    const { service, door, create, timestamp } = await open()
    const made = await create({ 'x-user': 'zoe', 'x-request-timestamp': timestamp })
    expect(made.status).toBe(201)
    const shown = await door.call('GET', '/api/v1/sav/1', { headers: { 'x-user': 'zoe' } })
    expect(shown.json.data.historique[0].acteur).toEqual({ type: 'utilisateur', id: 'zoe', nom: 'Zoé Martin' })
    expect(service.calls.at(-1)).toMatchObject({ account_id: 'default', user_id: 'zoe', status: 200 })
  })

  it('replaces keys, so that even a valid key is refused', async () => {
    const { service, door } = await open()
    const refused = await door.call('GET', '/api/v1/sav', { headers: service.auth() })
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, undefined])
    expect(refused.json).toEqual({ success: false, error: 'Not signed in', code: 'not_signed_in', params: {} })
    const late = await door.call('POST', '/api/v1/sav', { headers: { 'x-user': 'zoe' } })
    expect([late.json.error, late.headers['www-authenticate']]).toEqual(['Replay attack suspected', undefined])
  })

  it('determines permissions', async () => {
    const { door, create, timestamp } = await open()
    expect((await door.call('GET', '/api/v1/sav', { headers: { 'x-user': 'max' } })).status).toBe(200)
    const refused = await create({ 'x-user': 'max', 'x-request-timestamp': timestamp })
    expect([refused.status, refused.json.required]).toEqual([403, 'sav:write'])
  })

  it('that returns no permissions makes calls fail with 500 and a log entry', async () => {
    const { permissions: _, ...forgotten } = zoe
    const { door, create, service } = await open({ authenticate: () => forgotten as AuthenticatedActor })
    expect((await door.call('GET', '/api/v1/sav', {})).status).toBe(500)
    expect((await create({})).status).toBe(500)
    expect(service.failures[0]).toMatchObject({
      error: { message: expect.stringMatching(/Zoé Martin without permi/) },
    })
  })

  it('that returns an unknown permission makes calls fail with 500 and a log entry', async () => {
    const { door, service } = await open({ authenticate: () => ({ ...zoe, permissions: ['planing:read'] }) })
    expect((await door.call('GET', '/api/v1/sav', {})).status).toBe(500)
    const message = expect.stringMatching(/^authenticate returned Zoé Martin with planing:read, .* one of sav:read, /)
    expect(service.failures[0]).toMatchObject({ error: { message } })
  })

  it('identifies the caller to the console', async () => {
    const { door } = await open()
    const { json } = await door.call('GET', '/api/v1/session', { headers: { 'x-user': 'zoe' } })
    expect(json.data).toMatchObject({ utilisateur: null, cle: null, hote: { id: 'zoe', nom: 'Zoé Martin' } })
  })

  it('decides the account; nothing of other accounts is found', async () => {
    const { door, create, timestamp } = await open()
    await create({ 'x-user': 'zoe', 'x-request-timestamp': timestamp })
    expect((await door.call('GET', '/api/v1/sav/1', { headers: { 'x-user': 'elsewhere' } })).status).toBe(404)
  })

  it.each([
    [true, 401],
    [false, 201],
  ])('with requireTimestamp %s makes a write without a timestamp end with %i', async (requireTimestamp, status) => {
    const { create } = await open({ requireTimestamp })
    expect((await create({ 'x-user': 'zoe' })).status).toBe(status)
  })

  it('keeps the Idempotency-Keys of two callers apart', async () => {
    const { create } = await open({ requireTimestamp: false, authenticate: ({ header }) => byName(header('x-user')) })
    const once = { 'idempotency-key': 'once' }
    expect((await create({ 'x-user': 'a', ...once })).json.data.id).toBe(1)
    expect((await create({ 'x-user': 'b', ...once })).json.data.id).toBe(2)
    expect((await create({ 'x-user': 'a', ...once })).json.data.id).toBe(1)
  })

  it.each([
    ['the host’s security schemes', { cookie: { type: 'apiKey', in: 'cookie', name: 'session' } }, [{ cookie: [] }]],
    ['nothing', undefined, undefined],
  ])('declares %s in the contract, and neither keys nor optional timestamps', async (_, schemes, security) => {
    const { door } = await open({ requireTimestamp: false, ...(schemes && { securitySchemes: schemes }) })
    const { json } = await door.call('GET', '/openapi.json')
    expect([json.components.securitySchemes, json.security]).toEqual([schemes ?? {}, security])
    const { parameters, responses } = json.paths['/api/v1/sav'].post
    expect(JSON.stringify([parameters, responses])).not.toMatch(/X-Request-Timestamp|replay_suspected|WWW-Auth/)
    expect(responses[401].description).toBe('Not signed in')
  })

  it('that fails makes calls fail with 500 and a log entry', async () => {
    const { service, door } = await open({ authenticate: () => Promise.reject(new Error('the session store is away')) })
    expect((await door.call('GET', '/api/v1/sav')).status).toBe(500)
    expect(service.failures).toMatchObject([{ status: 500, error: { message: 'the session store is away' } }])
  })

  it('is not called for public pages', async () => {
    const { door } = await open({ authenticate: () => Promise.reject(new Error('asked')) })
    expect((await door.call('GET', '/healthz')).status).toBe(200)
  })
})

const byName = (id = '') => ({ ...zoe, id })
