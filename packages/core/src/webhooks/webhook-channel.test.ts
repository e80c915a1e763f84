import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { replacing } from '../../../planning/test/replacing.js'
import { claimedDelivery } from '../../../storage-contract/src/samples/queue-samples.js'
import { account, endpoint as endpointOf } from '../../../storage-contract/src/samples/samples.js'
import { recordingHttp } from '../../test/open-sav.js'
import { createSealer } from '../crypto/sealing.js'
import { Secret } from '../crypto/secret.js'
import { UnavailableError } from '../errors.js'
import type { Reads } from '../storage.js'
import { fixedClock, httpAnswer, noAnswer } from '../testing/index.js'
import type { EndpointRecord } from './endpoint.js'
import { sealedAs } from './sealed-endpoint.js'
import { webhookChannel } from './webhook-channel.js'

const sealer = createSealer(new Uint8Array(32).fill(7), randomBytes)
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const [secret, nextSecret] = [newSecret(), newSecret()]
const identity = { id: 'wh_1', account_id: 'default' }

const seal = (plain: string, what: 'secret' | 'headers') => sealer.seal(new Secret(plain), sealedAs(identity, what))

const endpoint = endpointOf('default', 'wh_1', { sealed_secret: seal(secret, 'secret') })

const body = '{"event":"sav.created","timestamp":"2026-01-15T10:30:00.000Z","data":{"event_id":"evt_1","nom":"é🔧"}}'

const delivery = claimedDelivery({ account_id: 'default', body })

async function open(fields: Partial<EndpointRecord> = {}, answer?: Parameters<typeof recordingHttp>[0]) {
  const storage = await memoryStorage()
  const clock = fixedClock()
  await storage.transaction(async (tx) => {
    await tx.accounts.add(account('default'))
    await tx.endpoints.add({ ...endpoint, ...fields })
  })
  const { http, posted } = recordingHttp(answer)
  const on = (reads: Pick<Reads, 'endpoints'>) => webhookChannel({ reads, http, timeoutMs: 5_000, sealer, clock })
  const channel = on(storage.reads)
  const send = () => channel.send(delivery, { startedAt: clock.now() })
  const change = (changed: Partial<EndpointRecord>) =>
    storage.transaction((tx) => tx.endpoints.update({ ...endpoint, ...fields, ...changed }))
  return { storage, clock, posted, on, send, change }
}

/** The signatures by the specification and by Standard Webhooks. */
function expectedSignatures(key: string, timestamp: number) {
  const decoded = Buffer.from(key.slice('whsec_'.length), 'base64')
  const standard = createHmac('sha256', decoded).update(`evt_1.${timestamp}.${body}`).digest('base64')
  return {
    specification: `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
    standard: `v1,${standard}`,
  }
}

describe('a webhook', () => {
  it('is posted to its endpoint, with the exact body and the time left for the attempt', async () => {
    const { send, posted } = await open()
    expect(await send()).toMatchObject({ ok: true, status: 200 })
    const { account_id, url } = endpoint
    expect(posted).toEqual([{ account_id, url, body, timeoutMs: 5_000, headers: expect.any(Object) }])
  })

  it("has the specification's four headers and the three of Standard Webhooks", async () => {
    const { send, posted, clock } = await open()
    await clock.advance(1_999)
    await send()
    const timestamp = Math.floor(clock.now() / 1000)
    const expected = expectedSignatures(secret, timestamp)
    expect(posted[0]?.headers).toEqual({
      'Content-Type': 'application/json',
      'X-Webhook-Signature': expected.specification,
      'X-Webhook-Timestamp': `${timestamp}`,
      'X-Webhook-Event': 'sav.created',
      'webhook-id': 'evt_1',
      'webhook-timestamp': `${timestamp}`,
      'webhook-signature': expected.standard,
    })
  })

  it("also has its endpoint's custom headers", async () => {
    const headers = { Authorization: 'Basic eDp5', 'X-Shop': 'Lyon' }
    const { send, posted } = await open({ sealed_headers: seal(JSON.stringify(headers), 'headers') })
    await send()
    expect(posted[0]?.headers).toMatchObject({ ...headers, 'Content-Type': 'application/json', 'webhook-id': 'evt_1' })
  })

  it('has the trace of the attempt, if there is tracing', async () => {
    const { storage } = await open()
    const { http, posted } = recordingHttp()
    const traced: unknown[] = []
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const channel = webhookChannel({
      reads: storage.reads,
      http,
      timeoutMs: 5_000,
      sealer,
      clock: fixedClock(),
      traceAttempt(...attempt) {
        traced.push(attempt)
        return traceparent
      },
    })
    await channel.send(delivery, { startedAt: 7 })
    expect(posted[0]?.headers).toMatchObject({ traceparent, 'webhook-id': 'evt_1' })
    expect(traced).toEqual([[delivery, 7]])
  })

  it('has the receiver’s answer as its result', async () => {
    for (const answer of [httpAnswer(500), httpAnswer(302), noAnswer('timeout')]) {
      const { send } = await open({}, () => answer)
      expect(await send()).toEqual(answer)
    }
  })

  it('follows a change of its endpoint within a second', async () => {
    const { send, posted, change, clock } = await open()
    await send()
    await change({ url: 'https://receiver.example/moved', sealed_secret: seal(nextSecret, 'secret') })
    await clock.advance(1_000)
    await send()
    expect(posted[1]?.url).toBe('https://receiver.example/moved')
    const timestamp = Math.floor(clock.now() / 1000)
    expect(posted[1]?.headers['X-Webhook-Signature']).toBe(expectedSignatures(nextSecret, timestamp).specification)
  })

  it('to a removed endpoint fails, and nothing is sent', async () => {
    const { send, posted, change } = await open()
    await change({ removed_at: '2026-01-15T10:30:00.000Z' })
    expect(await send()).toMatchObject({ ok: false, status: null, error: 'endpoint removed', unreachable: false })
    expect(posted).toEqual([])
  })

  it('is not sent until its endpoint can be read', async () => {
    const { storage, on, posted, clock } = await open()
    let away = true
    const channel = on({
      endpoints: replacing(storage.reads.endpoints, {
        async ofTarget(target) {
          if (away) throw new UnavailableError('The store is away.', { retryAfterSeconds: 1 })
          return storage.reads.endpoints.ofTarget(target)
        },
      }),
    })
    const send = () => channel.send(delivery, { startedAt: clock.now() })
    await expect(send()).rejects.toThrow(UnavailableError)
    away = false
    expect(await send()).toMatchObject({ ok: true })
    expect(posted).toHaveLength(1)
  })
})
