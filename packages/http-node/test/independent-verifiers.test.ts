import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createWorker, type Sav, type Worker } from '@sav/core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/memory-storage.js'
import { needs } from '../../../test/needs.js'
import { createUseCases } from '../../../test/whole/opening.js'
import { createApi } from '../src/create-api.js'
import { secureRandom, systemClock } from '../src/runtime.js'
import { as } from './composed.js'
import { receiver, sender } from './receivers.js'
import { fetchDoor } from './service.js'

/** How many events are sent to each of two endpoints. One endpoint has just got a new secret. */
const events = 250

const run = promisify(execFile)
const actor = as('default')

interface DeliveredRequest {
  readonly path: string
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

const delivered: DeliveredRequest[] = []
let sav: Sav
let worker: Worker
let folder: string
const secrets = { steady: '', old: '', renewed: '' }
let steadyId = ''

/** A receiver that accepts everything; `all` resolves when `count` deliveries have come. */
async function openReceiver(count: number): Promise<{ url: string; all: Promise<void> }> {
  const all = Promise.withResolvers<void>()
  const url = await receiver(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    delivered.push({ path: req.url ?? '', rawHeaders: req.rawHeaders, body: Buffer.concat(chunks) })
    res.setHeader('X-Receiver', 'test').end('merci')
    if (delivered.length === count) all.resolve()
  })
  return { url, all: all.promise }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sav-verify-'))
  const { url, all } = await openReceiver(2 * events)
  const service = {
    storage: await memoryStorage(),
    clock: systemClock,
    random: secureRandom,
    secretKey: secureRandom(32),
  }
  sav = createUseCases({ ...service, timeZone: 'Europe/Paris', receivers: { allowLocal: true } })
  worker = createWorker({
    ...service,
    http: sender(),
    schedule: [0, 30_000],
    timeoutMs: 5000,
    concurrency: { total: 32, perTarget: 16 },
  })
  await sav.accounts.add(as('default'), 'default')
  const chosen = { events: ['sav.created'], headers: { 'X-Token': 'jeton', 'x-other': 'x' } } as const
  const add = (path: string) =>
    sav.webhooks.endpoints.add(as('default'), { ...chosen, events: [...chosen.events], url: `${url}/${path}` })
  const steady = await add('steady')
  const renewed = await add('renewed')
  steadyId = steady.id
  secrets.steady = steady.secret
  secrets.old = renewed.secret
  secrets.renewed = (await sav.webhooks.endpoints.rotateSecret(as('default'), renewed.id, {})).secret

  worker.start()
  const { id: client_id } = await sav.directory.clients.add(as('default'), { nom: 'Durand', prenom: 'Alice' })
  for (let i = 0; i < events; i += 1)
    await sav.cases.create(actor, { client_id, description: `Façade rayée 🪚 n° ${i}` })
  await all
  // The last outcomes are recorded in a batch, a moment after the answers.
  const counted = () => sav.webhooks.replays.preview('default', { state: 'delivered' })
  await vi.waitFor(async () => expect(await counted()).toEqual({ matched: 2 * events }), { timeout: 60_000 })
})
afterAll(async () => {
  await worker.stop()
  await rm(folder, { recursive: true, force: true })
})

function header({ rawHeaders }: DeliveredRequest, name: string): string {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name)
  expect(values, name).toHaveLength(1)
  return values[0] ?? ''
}

/** HMAC-SHA256 of each text under one key, by openssl, in hexadecimal. */
async function macs(name: string, key: Buffer, texts: readonly Buffer[]): Promise<string[]> {
  await mkdir(join(folder, name))
  const files = texts.map((_, i) => join(folder, name, String(i)))
  for (const [i, text] of texts.entries()) await writeFile(files[i] ?? '', text)
  const macopt = `hexkey:${key.toString('hex')}`
  const { stdout } = await run('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', macopt, ...files])
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.slice(-64))
}

const to = (path: string) => delivered.filter((each) => each.path === path)
const decoded = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64')

describe(`of ${2 * events} deliveries`, () => {
  it('each one arrives once, with each header exactly once', () => {
    expect(delivered).toHaveLength(2 * events)
    const names = ['host', 'content-type', 'content-length', 'user-agent', 'connection', 'x-token', 'x-other']
    const signed = ['x-webhook-signature', 'x-webhook-timestamp', 'x-webhook-event']
    const trio = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    for (const each of delivered) for (const name of [...names, ...signed, ...trio]) header(each, name)
    for (const path of ['/steady', '/renewed'])
      expect(new Set(to(path).map((each) => header(each, 'webhook-id'))).size).toBe(events)
    const [one] = delivered
    if (one === undefined) throw new Error('nothing was delivered')
    expect(header(one, 'content-type')).toBe('application/json')
    expect(header(one, 'content-length')).toBe(String(one.body.length))
    expect(header(one, 'user-agent')).toBe('sav/1.2.3')
    expect(header(one, 'x-webhook-event')).toBe('sav.created')
  })

  it.runIf(needs('openssl', 'that it accepts the signatures of deliveries')).each([
    ['/steady', 'steady'],
    ['/renewed', 'old'],
  ] as const)('openssl accepts each one to %s', async (path, name) => {
    const ours = to(path)
    expect(ours).toHaveLength(events)
    const bodies = ours.map(({ body }) => body)
    const specified = await macs(`${name}-specified`, Buffer.from(secrets[name]), bodies)
    expect(ours.map((each) => header(each, 'x-webhook-signature'))).toEqual(specified.map((mac) => `sha256=${mac}`))

    const signed = ours.map((each) => {
      const prefix = `${header(each, 'webhook-id')}.${header(each, 'webhook-timestamp')}.`
      return Buffer.concat([Buffer.from(prefix), each.body])
    })
    const standard = await macs(`${name}-standard`, decoded(secrets[name]), signed)
    const base64 = standard.map((mac) => `v1,${Buffer.from(mac, 'hex').toString('base64')}`)
    expect(ours.map((each) => header(each, 'webhook-signature').split(' ')[0])).toEqual(base64)
  })

  it.each([
    ['/steady', 'steady'],
    ['/renewed', 'old'],
    ['/renewed', 'renewed'],
  ] as const)('the package standardwebhooks accepts each one to %s by its %s secret', (path, name) => {
    const verifier = new Webhook(secrets[name])
    for (const each of to(path)) {
      const headers = Object.fromEntries(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((one) => [one, header(each, one)]),
      )
      expect(verifier.verify(each.body, headers)).toMatchObject({ event: 'sav.created' })
      expect(() => verifier.verify(Buffer.concat([each.body, Buffer.from(' ')]), headers)).toThrow(
        'No matching signature found',
      )
    }
  })

  it('the history shows every attempt with its answer', async () => {
    const { key } = await sav.keys.create(as('default'), { nom: 'test', permissions: ['webhooks:read'] })
    const api = createApi({
      sav,
      clock: systemClock,
      random: secureRandom,
      ready: async () => {},
      onCall: () => {},
      log: () => {},
    })
    const headers = { authorization: `Bearer ${key}` }
    const call = async (path: string) =>
      (await fetchDoor(api).call('GET', `/api/v1/webhooks/livraisons${path}`, { headers })).json
    const { data: page } = await call(`?endpoint_id=${steadyId}&state=delivered&limite=1`)
    const { data } = await call(`/${page[0].id}`)
    expect(data).toMatchObject({ state: 'delivered', attempt_count: 1, last_status: 200, last_error: null })
    expect(data.attempts).toEqual([
      {
        n: 1,
        started_at: expect.any(String),
        duration_ms: expect.any(Number),
        status: 200,
        error: null,
        error_code: null,
        response_headers: expect.objectContaining({ 'x-receiver': 'test' }),
        response: 'merci',
      },
    ])
    expect(JSON.stringify(data)).not.toContain(secrets.steady)
  })
})
