import { eventKinds } from '@sav/webhook-verify'
import { describe, expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import { createSealer } from '../crypto/sealing.js'
import { ValidationError } from '../errors.js'
import { seededRandom } from '../testing/index.js'

const url = 'https://receiver.example/hooks'

/** The fields that are refused; none when the endpoint is added. */
async function refused(input: unknown): Promise<string[]> {
  const { sav } = await openSav()
  const sent = JSON.parse(JSON.stringify(input))
  const added = await sav.webhooks.endpoints.add(as('default'), sent).catch((error: unknown) => error)
  if (added instanceof ValidationError) {
    expect(await sav.webhooks.endpoints.list('default')).toEqual([])
    return added.details.map(({ field }) => field).toSorted()
  }
  if (added instanceof Error) throw added
  return []
}

describe('an endpoint taken over from another service', () => {
  const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

  it('keeps its secret, and is added once', async () => {
    const { sav, storage } = await openSav()
    const input = { url, events: ['sav.created' as const], secret: secretOf(24) }
    const { endpoint, isNew } = await sav.webhooks.endpoints.takeOver(as('default'), input)
    expect(isNew).toBe(true)
    const stored = await storage.reads.endpoints.find('default', endpoint.id)
    const sealer = createSealer(new Uint8Array(32).fill(7), seededRandom(1))
    expect(sealer.open(stored?.sealed_secret ?? '', `default/${endpoint.id}/secret`).reveal()).toBe(input.secret)
    expect(await sav.webhooks.endpoints.takeOver(as('default'), input)).toEqual({ endpoint, isNew: false })
    expect(await sav.webhooks.endpoints.takeOver(as('default'), { ...input, secret: secretOf(25) })).toMatchObject({
      isNew: true,
    })
  })

  it.each([secretOf(23), secretOf(65), 'whsec_é', `${secretOf(24)}A`, 'topsecret', `whsec_${'A'.repeat(33)}`])(
    'cannot have the secret %j',
    async (secret) => {
      const { sav } = await openSav()
      const refusal = sav.webhooks.endpoints.takeOver(as('default'), { url, events: ['sav.created'], secret })
      await expect(refusal).rejects.toThrow(ValidationError)
    },
  )

  it('can have a secret of 64 bytes', async () => {
    const { sav } = await openSav()
    const taken = sav.webhooks.endpoints.takeOver(as('default'), { url, events: ['sav.created'], secret: secretOf(64) })
    expect(await taken).toMatchObject({ isNew: true })
  })
})

describe('a new endpoint', () => {
  it('has an id, its kinds of events, and a secret that is returned once', async () => {
    const { sav, clock } = await openSav()
    const { secret, ...shown } = await sav.webhooks.endpoints.add(as('default'), {
      url,
      events: ['sav.closed', 'sav.created'],
      description: 'ERP',
      headers: { Authorization: 'Basic eDp5' },
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const at = new Date(clock.now()).toISOString()
    expect(shown).toEqual({
      id: expect.stringMatching(/^wh_/),
      url,
      description: 'ERP',
      events: expect.arrayContaining(['sav.created', 'sav.closed']),
      headers: ['Authorization'],
      disabled_at: null,
      disabled_reason: null,
      created_at: at,
      updated_at: at,
    })
    const listed = await sav.webhooks.endpoints.list('default')
    expect(listed).toMatchObject([{ ...shown, sante: { etat: 'ok' } }])
    expect(JSON.stringify(listed)).not.toContain(secret)
    expect(JSON.stringify(listed)).not.toContain('eDp5')
  })

  it('is stored with its secret and its headers sealed', async () => {
    const { sav, storage } = await openSav()
    const { id, secret } = await sav.webhooks.endpoints.add(as('default'), {
      url,
      events: ['sav.created'],
      headers: { 'X-Key': 'topsecret' },
    })
    const stored = JSON.stringify(await storage.reads.endpoints.find('default', id))
    for (const hidden of [secret, secret.slice(6), 'topsecret']) expect(stored).not.toContain(hidden)
  })

  it('can choose any of the kinds, each once', async () => {
    const { sav } = await openSav()
    const { events } = await sav.webhooks.endpoints.add(as('default'), { url, events: [...eventKinds, ...eventKinds] })
    expect([...events].toSorted()).toEqual([...eventKinds].toSorted())
    expect(events).toHaveLength(eventKinds.length)
  })

  it.each([
    [[], { url, events: ['sav.created'] }],
    [[], { url, events: ['sav.created'], description: null }],
    [[], { url, events: ['sav.created'], headers: { 'X-Shop': '' } }],
    [['events', 'url'], {}],
    [['events'], { url, events: [] }],
    [['events[1]'], { url, events: ['sav.created', 'sav.deleted'] }],
    [['events[0]'], { url, events: ['webhook.test'] }],
    [['events[0]'], { url, events: ['*'] }],
    [['events'], { url, events: 'sav.created' }],
    [['url'], { url: 'http://receiver.example/hooks', events: ['sav.created'] }],
    [['url'], { url: 'https://10.0.0.1/hooks', events: ['sav.created'] }],
    [['url'], { url: 'receiver', events: ['sav.created'] }],
    [['url'], { url: 5, events: ['sav.created'] }],
    [['description'], { url, events: ['sav.created'], description: 5 }],
    [['secret'], { url, events: ['sav.created'], secret: 'whsec_mine' }],
    [['__proto__'], JSON.parse(`{"url":"${url}","events":["sav.created"],"__proto__":{}}`)],
    [['description', 'events[0]', 'url'], { url: 'http://receiver.example', events: ['x'], description: 5 }],
  ])('is refused for %j: %j', async (fields, input) => {
    expect(await refused(input)).toEqual(fields)
  })

  it.each([
    'Content-Type',
    'content-length',
    'Host',
    'Connection',
    'Transfer-Encoding',
    'User-Agent',
    'X-Webhook-Signature',
    'x-webhook-anything',
    'webhook-id',
    'Webhook-Signature',
    'X Shop',
    'X-Shop:',
    'X-Shop\r\nX-Evil',
    'é',
    '',
  ])('cannot have the header %j', async (name) => {
    expect(await refused({ url, events: ['sav.created'], headers: { [name]: 'x' } })).toEqual([`headers.${name}`])
  })

  it.each(['a\r\nX-Evil: 1', 'a\nb', '\0', 'é', 'x'.repeat(4_001)])(
    'cannot have a header with the value %j',
    async (value) => {
      expect(await refused({ url, events: ['sav.created'], headers: { 'X-Shop': value } })).toEqual(['headers.X-Shop'])
    },
  )

  it('cannot have a header named __proto__', async () => {
    const headers = JSON.parse('{"__proto__":"x"}')
    expect(await refused({ url, events: ['sav.created'], headers })).toEqual([expect.stringMatching(/^headers/)])
  })

  it('is refused for a bad header, with the reason', async () => {
    const { sav } = await openSav()
    const add = (headers: Record<string, string>) =>
      sav.webhooks.endpoints.add(as('default'), { url, events: ['sav.created'], headers })
    await expect(add({ Host: 'x' })).rejects.toThrow(/headers\.Host: .*leave it out/)
    await expect(add({ 'X Shop': 'x' })).rejects.toThrow(/headers\.X Shop: .*header name/)
  })
})
