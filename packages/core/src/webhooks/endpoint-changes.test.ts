import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { as, openSav, recordingHttp } from '../../test/open-sav.js'
import { ConflictError, NotFoundError, ValidationError } from '../errors.js'
import { httpAnswer } from '../testing/index.js'

const url = 'https://receiver.example/hooks'
const day = 86_400_000

/** A service with one endpoint and its worker running. */
async function withEndpoint(answer = () => httpAnswer(200)) {
  const { http, posted } = recordingHttp(answer)
  const opened = await openSav({ http })
  const { sav, worker, actor, client, clock } = opened
  const { secret, ...endpoint } = await sav.webhooks.endpoints.add(as('default'), {
    url,
    events: ['sav.created'],
    headers: { A: 'b' },
  })
  worker.start()
  await clock.advance(0)

  async function create() {
    await sav.cases.create(actor, { client_id: client.id, description: 'La porte du meuble bas ne ferme plus.' })
    await clock.advance(0)
  }
  /** Creates a case and returns its webhook request, once the caches of other processes have expired. */
  async function told() {
    await clock.advance(1_000)
    await create()
    const request = posted.at(-1)
    if (request === undefined) throw new Error('nothing was posted')
    return request
  }
  const history = async () => (await sav.webhooks.deliveries.list('default', {})).items
  return { ...opened, posted, secret, endpoint, id: endpoint.id, create, told, history }
}

type Request = Awaited<ReturnType<Awaited<ReturnType<typeof withEndpoint>>['told']>>

/** The secrets among these with which the request is signed, by each of the two headers. */
function signers({ headers, body }: Request, secrets: readonly string[]) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const key = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64')
  const standard = (headers['webhook-signature'] ?? '').split(' ')
  const indexes = (holds: (secret: string) => boolean) => secrets.flatMap((secret, at) => (holds(secret) ? [at] : []))
  return {
    count: standard.length,
    standard: indexes((secret) =>
      standard.includes(`v1,${createHmac('sha256', key(secret)).update(signed).digest('base64')}`),
    ),
    specification: indexes(
      (secret) =>
        headers['X-Webhook-Signature'] === `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    ),
  }
}

describe('an update', () => {
  it('replaces only the given fields', async () => {
    const { sav, id, endpoint, clock } = await withEndpoint()
    await clock.advance(1)
    const updated_at = new Date(clock.now()).toISOString()
    const described = await sav.webhooks.endpoints.update(as('default'), id, { description: 'ERP' })
    expect(described).toEqual({ ...endpoint, description: 'ERP', updated_at })
    const changed = { url: 'https://new.example/', events: ['sav.closed', 'sav.created'], headers: {} } as const
    expect(await sav.webhooks.endpoints.update(as('default'), id, { ...changed, events: [...changed.events] })).toEqual(
      {
        ...described,
        ...changed,
        events: expect.arrayContaining(['sav.created', 'sav.closed']),
        headers: [],
      },
    )
    expect(await sav.webhooks.endpoints.update(as('default'), id, { description: null })).toMatchObject({
      description: null,
    })
  })

  it.each([
    [['url'], { url: 'http://receiver.example' }],
    [['url'], { url: 'https://192.168.0.1/' }],
    [['events'], { events: [] }],
    [['headers.Host'], { headers: { Host: 'x' } }],
    [['secret'], { secret: 'whsec_mine' }],
    [['disabled_at'], { disabled_at: null }],
    [['description', 'url'], { url: 'x', description: 5 }],
  ])('is refused for %j', async (fields, input) => {
    const { sav, id, endpoint } = await withEndpoint()
    const refused = await sav.webhooks.endpoints
      .update(as('default'), id, JSON.parse(JSON.stringify(input)))
      .catch((error) => error)
    expect(refused).toBeInstanceOf(ValidationError)
    expect(refused.details.map(({ field }: { field: string }) => field).toSorted()).toEqual(fields)
    expect(await sav.webhooks.endpoints.get('default', id)).toEqual(endpoint)
  })

  it('applies a new URL and new headers to waiting deliveries, with the same body', async () => {
    const answers = [httpAnswer(500)]
    const { sav, id, create, posted, clock } = await withEndpoint(() => answers.shift() ?? httpAnswer(200))
    await create()
    await sav.webhooks.endpoints.update(as('default'), id, { url: 'https://new.example/', headers: { C: 'd' } })
    await clock.advance(31_000)
    expect(posted.map((request) => request.url)).toEqual([url, 'https://new.example/'])
    expect(posted[1]?.headers).toMatchObject({ C: 'd' })
    expect(posted[1]?.headers).not.toHaveProperty('A')
    expect(posted[1]?.body).toBe(posted[0]?.body)
  })
})

describe('a disabled endpoint', () => {
  it('keeps the time and the reason when disabled again', async () => {
    const { sav, id, clock } = await withEndpoint()
    const disabled_at = new Date(clock.now()).toISOString()
    const expected = { disabled_at, disabled_reason: 'disabled by hand' }
    expect(await sav.webhooks.endpoints.disable(as('default'), id)).toMatchObject(expected)
    await clock.advance(1_000)
    expect(await sav.webhooks.endpoints.disable(as('default'), id)).toMatchObject(expected)
    expect(await sav.webhooks.endpoints.enable(as('default'), id)).toMatchObject({
      disabled_at: null,
      disabled_reason: null,
    })
  })

  it('that had failures has none on record once it is enabled', async () => {
    const { sav, id, storage, clock } = await withEndpoint()
    const at = new Date(clock.now()).toISOString()
    const found = await storage.reads.endpoints.find('default', id)
    if (found === null) throw new Error('not found')
    const failures = { first: at, last: at, counted_since: at }
    await storage.transaction((tx) => tx.endpoints.update({ ...found, failing_since: at, failures }))
    await sav.webhooks.endpoints.enable(as('default'), id)
    expect(await storage.reads.endpoints.find('default', id)).toMatchObject({ failing_since: null, failures: null })
  })

  it('has waiting deliveries, which are sent at once when it is enabled', async () => {
    const { sav, id, create, history, posted, clock } = await withEndpoint()
    await sav.webhooks.endpoints.disable(as('default'), id)
    await create()
    await create()
    await clock.advance(10_000)
    expect(posted).toEqual([])
    expect((await history()).map(({ state, attempt_count }) => [state, attempt_count])).toEqual([
      ['pending', 0],
      ['pending', 0],
    ])
    await sav.webhooks.endpoints.enable(as('default'), id)
    await clock.advance(20)
    expect(posted).toHaveLength(2)
  })
})

describe('a removed endpoint', () => {
  it('is not listed, its waiting deliveries fail, and its history stays', async () => {
    const answers = [httpAnswer(200), httpAnswer(500)]
    const { sav, id, create, history, posted, clock } = await withEndpoint(() => answers.shift() ?? httpAnswer(200))
    await create()
    await clock.advance(1_000)
    await create()
    await sav.webhooks.endpoints.remove(as('default'), id)
    expect(await sav.webhooks.endpoints.list('default')).toEqual([])
    await expect(sav.webhooks.endpoints.get('default', id)).rejects.toThrow(NotFoundError)
    await expect(sav.webhooks.endpoints.remove(as('default'), id)).rejects.toThrow(NotFoundError)
    expect(await history()).toMatchObject([
      { endpoint_id: id, state: 'failed', last_error: 'endpoint removed', next_attempt_at: null, attempt_count: 1 },
      { endpoint_id: id, state: 'delivered' },
    ])
    await create()
    await clock.advance(60_000)
    expect(posted).toHaveLength(2)
    expect(await history()).toHaveLength(2)
  })

  it('does not count towards the limit of 100', async () => {
    const { sav, id } = await withEndpoint()
    for (let count = 1; count < 100; count += 1)
      await sav.webhooks.endpoints.add(as('default'), { url, events: ['sav.closed'] })
    await expect(sav.webhooks.endpoints.add(as('default'), { url, events: ['sav.closed'] })).rejects.toThrow(
      ConflictError,
    )
    await sav.webhooks.endpoints.remove(as('default'), id)
    await sav.webhooks.endpoints.add(as('default'), { url, events: ['sav.closed'] })
  })
})

describe('a test delivery', () => {
  it('is sent only to this endpoint, whatever kinds it chose, and is in the history', async () => {
    const { sav, id, posted, history, clock } = await withEndpoint()
    await sav.webhooks.endpoints.add(as('default'), { url: 'https://other.example/', events: ['sav.created'] })
    const { delivery_id } = await sav.webhooks.endpoints.test(as('default'), id)
    await clock.advance(20)
    expect(posted).toHaveLength(1)
    expect(posted[0]).toMatchObject({ url, headers: { 'X-Webhook-Event': 'webhook.test' } })
    expect(JSON.parse(posted[0]?.body ?? '')).toMatchObject({ event: 'webhook.test', data: { endpoint_id: id } })
    expect(await history()).toMatchObject([{ id: delivery_id, event: 'webhook.test', state: 'delivered' }])
  })

  it('to a disabled endpoint is refused, and nothing is written', async () => {
    const { sav, id, history } = await withEndpoint()
    await sav.webhooks.endpoints.disable(as('default'), id)
    await expect(sav.webhooks.endpoints.test(as('default'), id)).rejects.toThrow(ConflictError)
    expect(await history()).toEqual([])
  })
})

describe('a rotation of the secret', () => {
  it('returns the new secret once, and the time at which the old one ends, by default in a day', async () => {
    const { sav, id, secret, clock, storage } = await withEndpoint()
    const rotated = await sav.webhooks.endpoints.rotateSecret(as('default'), id, {})
    expect(rotated).toEqual({
      id,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previous_expires_at: new Date(clock.now() + day).toISOString(),
    })
    expect(rotated.secret).not.toBe(secret)
    const shown = JSON.stringify([
      await sav.webhooks.endpoints.list('default'),
      await storage.reads.endpoints.list('default'),
    ])
    for (const hidden of [secret, rotated.secret]) expect(shown).not.toContain(hidden.slice(6))
  })

  it('signs with both secrets during the overlap (X-Webhook-Signature only with the old one), then only with the new secret', async () => {
    const { sav, id, secret, told, clock } = await withEndpoint()
    const rotatedAt = clock.now()
    const { secret: next } = await sav.webhooks.endpoints.rotateSecret(as('default'), id, {
      chevauchement_secondes: 60,
    })
    const during = { count: 2, standard: [0, 1], specification: [0] }
    const after = { count: 1, standard: [1], specification: [1] }
    expect(signers(await told(), [secret, next])).toEqual(during)
    clock.set(rotatedAt + 60_000 - 1_001)
    expect(signers(await told(), [secret, next])).toEqual(during)
    clock.set(rotatedAt + 60_000 - 1_000)
    expect(signers(await told(), [secret, next])).toEqual(after)
    clock.set(rotatedAt + 30 * day)
    expect(signers(await told(), [secret, next])).toEqual(after)
  })

  it('without overlap signs only with the new secret from then on, even during an earlier overlap', async () => {
    const { sav, id, secret, told } = await withEndpoint()
    const { secret: second } = await sav.webhooks.endpoints.rotateSecret(as('default'), id, {})
    const rotated = await sav.webhooks.endpoints.rotateSecret(as('default'), id, { chevauchement_secondes: 0 })
    expect(rotated.previous_expires_at).toBeNull()
    const secrets = [secret, second, rotated.secret]
    expect(signers(await told(), secrets)).toEqual({ count: 1, standard: [2], specification: [2] })
  })

  it('during the overlap of another rotation lets each secret sign until its own end', async () => {
    const { sav, id, secret, told, clock } = await withEndpoint()
    const rotatedAt = clock.now()
    const secrets = [secret]
    for (const chevauchement_secondes of [86_400, 3_600]) {
      const rotated = await sav.webhooks.endpoints.rotateSecret(as('default'), id, { chevauchement_secondes })
      secrets.push(rotated.secret)
    }
    expect(signers(await told(), secrets)).toEqual({ count: 3, standard: [0, 1, 2], specification: [0] })
    clock.set(rotatedAt + 3_600_000)
    expect(signers(await told(), secrets)).toEqual({ count: 2, standard: [0, 2], specification: [0] })
    clock.set(rotatedAt + day)
    expect(signers(await told(), secrets)).toEqual({ count: 1, standard: [2], specification: [2] })
  })

  it('allows at most five signing secrets; a sixth must wait for the first to end, or have no overlap', async () => {
    const { sav, id, secret, told, clock } = await withEndpoint()
    const secrets = [secret]
    const rotate = async (chevauchement_secondes: number) => {
      const rotated = await sav.webhooks.endpoints.rotateSecret(as('default'), id, { chevauchement_secondes })
      secrets.push(rotated.secret)
    }
    for (const seconds of [7_200, 3_600, 7_200, 7_200]) await rotate(seconds)
    const ends = new Date(clock.now() + 3_600_000).toISOString()
    await expect(rotate(60)).rejects.toThrow(
      `Endpoint ${id} already has five signing secrets: wait until ${ends}, or rotate without an overlap.`,
    )
    expect(signers(await told(), secrets)).toEqual({ count: 5, standard: [0, 1, 2, 3, 4], specification: [0] })
    await clock.advance(3_600_000)
    await rotate(60)
    expect(signers(await told(), secrets)).toEqual({ count: 5, standard: [0, 2, 3, 4, 5], specification: [0] })
    await rotate(0)
    expect(signers(await told(), secrets)).toEqual({ count: 1, standard: [6], specification: [6] })
  })

  it('has an overlap of whole seconds, at most a week', async () => {
    const { sav, id } = await withEndpoint()
    const rotate = async (chevauchement_secondes: number) =>
      sav.webhooks.endpoints.rotateSecret(as('default'), id, { chevauchement_secondes })
    for (const wrong of [-1, 604_801, 1.5]) await expect(rotate(wrong)).rejects.toThrow(/chevauchement_secondes/)
    await rotate(604_800)
  })
})
