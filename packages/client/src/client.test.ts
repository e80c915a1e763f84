import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { allRoutes } from '../../all/src/routes.js'
import { createFetchHandler } from '../../http-node/src/fetch.js'
import { createLocalClient } from '../../http-node/src/local.js'
import { openService, type Service } from '../../http-node/test/service.js'
import { type ClientOptions, createClient, SavApiError, type SavClient } from './client.js'
import { createMethods } from './methods.js'

const description = 'La porte du meuble bas ne ferme plus.'
const baseUrl = 'https://sav.example'
const clerk = { account_id: 'default', type: 'utilisateur', id: 'zoe', nom: 'Zoé', permissions: 'all' } as const

/** A client with its own service, the requests that it sent, and the times that it waited. */
async function connected(between?: (pass: () => Promise<Response>, nth: number) => Promise<Response>) {
  const service = await openService()
  const handle = createFetchHandler(service.api)
  const sent: Request[] = []
  const waits: number[] = []
  const options: ClientOptions = {
    baseUrl,
    key: service.auth()['authorization']?.slice('Bearer '.length) ?? '',
    clock: {
      now: service.clock.now,
      wait: async (ms) => {
        waits.push(ms)
        // The test clock has whole milliseconds.
        await service.clock.advance(Math.ceil(ms))
      },
    },
    fetch(url, init) {
      const request = new Request(url, init)
      sent.push(request.clone())
      const pass = () => handle(request, { ip: '127.0.0.1' })
      return between?.(pass, sent.length) ?? pass()
    },
  }
  return { service, sent, waits, options, sav: createClient(options) }
}

const newCases = async ({ sav, client_id }: Service, count: number) => {
  const actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' } as const
  for (let i = 0; i < count; i += 1) await sav.cases.create(actor, { client_id, description })
}

const answering = (status: number, headers: Record<string, string> = {}) =>
  Promise.resolve(Response.json({ success: false, error: 'No' }, { status, headers }))

const listening = (server: Server) =>
  new Promise<AddressInfo>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address !== null && typeof address !== 'string') resolve(address)
    })
  })

async function refusalOf(promise: Promise<unknown>): Promise<SavApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof SavApiError)) throw error
  return error
}

describe('a client', () => {
  it('has no dependency, and imports only types', async () => {
    const manifest: unknown = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'])
      expect(manifest).not.toHaveProperty(kind)
    const source = await readFile(new URL('./client.ts', import.meta.url), 'utf8')
    expect(source).toContain('import type')
    expect(stripTypeScriptTypes(source)).not.toMatch(/^\s*(import|export .* from)\b/m)
  })

  it('creates, reads, changes and closes a case', async () => {
    const { sav, service } = await connected()
    const { data, headers } = await sav.post('/api/v1/sav', { body: { client_id: service.client_id, description } })
    expectTypeOf(data).toEqualTypeOf<{ id: number; reference: string }>()
    const params = { id: data.id }
    expect(headers.get('location')).toBe(`/api/v1/sav/${data.id}`)

    const read = await sav.get('/api/v1/sav/{id}', { params })
    expect(read.data).toMatchObject({ reference: data.reference, statut: 'ouvert' })
    const ifMatch = { 'If-Match': read.headers.get('etag') ?? '' }
    const changed = await sav.put('/api/v1/sav/{id}', { params, body: { statut: 'en_cours' }, headers: ifMatch })
    expect(changed.data.version).toBe(2)
    const stale = await refusalOf(sav.put('/api/v1/sav/{id}', { params, body: { statut: 'ouvert' }, headers: ifMatch }))
    expect(stale).toMatchObject({ status: 412, code: 'case_version_mismatch' })

    const closed = await sav.post('/api/v1/sav/{id}/cloturer', {
      params,
      body: { resolution: 'Charnière remplacée et porte réglée.' },
    })
    expectTypeOf(closed.data.statut).toEqualTypeOf<'clos'>()
    const proof = await sav.get('/api/v1/sav/{id}/preuve', { params, query: { sequence: 1 } })
    expect(proof.data.hash_sha256).toBe(closed.data.hash_sha256)
  })

  it('has types that reject calls that the service would refuse', () => {
    const wrong = (sav: SavClient) => [
      // @ts-expect-error no such path
      sav.get('/api/v1/savs'),
      // @ts-expect-error not with this method
      sav.put('/api/v1/sav', { body: {} }),
      // @ts-expect-error without its parameter
      sav.get('/api/v1/sav/{id}'),
      // @ts-expect-error with a parameter of another type
      sav.get('/api/v1/sav/{id}', { params: { id: 'one' } }),
      // @ts-expect-error without a field that it needs
      sav.post('/api/v1/sav', { body: { client_id: 1 } }),
      // @ts-expect-error with a value that it does not know
      sav.get('/api/v1/sav', { query: { statut: 'closed' } }),
      // @ts-expect-error JSON instead of a file
      sav.put('/api/v1/fichiers/{sha256}', { params: { sha256: '' }, body: {} }),
      // @ts-expect-error no list
      sav.each('/api/v1/sav/{id}', { params: { id: 1 } }),
    ]
    expect(wrong).toBeTypeOf('function')
  })

  it('reads files as bytes', async () => {
    const { sav, service } = await connected()
    const photo = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(36)])
    const photos = [`data:image/jpeg;base64,${photo.toString('base64')}`]
    const made = await sav.post('/api/v1/sav', { body: { client_id: service.client_id, description, photos } })
    const { data } = await sav.get('/api/v1/sav/{id}', { params: { id: made.data.id } })
    const sha256 = data.photos[0]?.url.split('/').at(-1) ?? ''
    const file = await sav.get('/api/v1/sav/{id}/fichiers/{sha256}', { params: { id: made.data.id, sha256 } })
    expect(Buffer.from(file.data)).toEqual(photo)
  })

  it('sends the bytes of a file unchanged, whole or in parts', async () => {
    const { sav, service, sent } = await connected()
    const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(36)])
    const params = { sha256: createHash('sha256').update(bytes).digest('hex') }
    const send = (from: number, to: number) =>
      sav.put('/api/v1/fichiers/{sha256}', {
        params,
        body: new Blob([bytes.subarray(from, to)], { type: 'image/jpeg' }),
        headers: { 'Content-Range': `bytes ${from}-${to - 1}/${bytes.length}` },
      })
    expect((await send(0, 30)).data).toEqual({ recu: 30, taille: 40 })
    expect((await send(30, 40)).data).toEqual({ recu: 40, taille: 40 })
    const again = createMethods(sav).field.sendFile(params.sha256, new Blob([bytes], { type: 'image/jpeg' }))
    expect((await again).data).toEqual({ recu: 40, taille: 40 })
    expect(sent.map(({ headers }) => headers.get('content-type'))).toEqual(Array(3).fill('image/jpeg'))
    const features = async () => allRoutes
    const local = createLocalClient({ sav: service.sav, features, authenticate: () => clerk })
    const kept = await local.put('/api/v1/fichiers/{sha256}', { params, body: new Blob([bytes]) })
    expect(kept.data).toEqual({ recu: 40, taille: 40 })
  })

  it('can be called without the optional arguments', async () => {
    const { sav } = await connected()
    expect((await sav.get('/healthz')).success).toBe(true)
    expect((await sav.get('/api/v1/webhooks')).data).toEqual([])
    const made = await sav.post('/api/v1/webhooks', { body: { url: 'https://a.example/', events: ['sav.created'] } })
    const params = { endpoint: made.data.id }
    expect((await sav.post('/api/v1/webhooks/{endpoint}/renouveler-secret', { params })).data.secret).toMatch(/^whsec_/)
    expect((await sav.delete('/api/v1/webhooks/{endpoint}', { params })).data).toEqual({ id: made.data.id })
  })

  it('throws a refusal with its code, message and details', async () => {
    const { sav, service } = await connected()
    const body = { client_id: service.client_id, description: 'court' }
    const error = await refusalOf(sav.post('/api/v1/sav', { body, headers: { 'X-Request-Id': 'mine' } }))
    expect(error).toMatchObject({
      status: 422,
      code: 'validation_failed',
      error: 'Validation failed',
      requestId: 'mine',
    })
    expect(error.details).toMatchObject([{ field: 'description', message: expect.stringContaining('10 to 2000') }])
    expect(error.message).toContain('description')

    const denied = createClient({
      baseUrl,
      key: 'no',
      fetch: (url, init) => createFetchHandler(service.api)(new Request(url, init)),
    })
    expect(await refusalOf(denied.get('/api/v1/sav'))).toMatchObject({
      status: 401,
      ...{ code: '', error: 'Missing or invalid API key' },
    })
  })

  it('throws the failure of another server, without a code', async () => {
    const { sav } = await connected(() => Promise.resolve(new Response('<h1>proxy</h1>', { status: 500 })))
    expect(await refusalOf(sav.get('/api/v1/sav'))).toMatchObject({ status: 500, code: '', details: [] })
  })

  it.each([
    ['text/html', '<h1>Sign in to the Wi-Fi</h1>'],
    ['text/plain', ''],
    ['application/json', '{}'],
    ['application/json', '{"success":true,"data":[]}'],
  ])('does not mistake another server’s answer for a success: %s with %j', async (type, body) => {
    const { sav } = await connected(() => Promise.resolve(new Response(body, { headers: { 'Content-Type': type } })))
    expect(await refusalOf(sav.get('/api/v1/webhooks'))).toMatchObject({ status: 200, code: '', error: '' })
  })

  it.each([301, 302, 303, 307, 308])('follows no redirect, %i', async (status) => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.writeHead(status, { Location: '/elsewhere', 'X-Request-Id': 'a' }).end()
    })
    onTestFinished(() => void server.close())
    const { port } = await listening(server)
    const sav = createClient({ baseUrl: `http://127.0.0.1:${port}`, key: 'sav_live_x' })
    const body = { nom: 'Petit', prenom: 'Zoé' }
    expect(await refusalOf(sav.post('/api/v1/clients', { body }))).toMatchObject({ status, code: '' })
    expect(asked).toEqual(['POST /api/v1/clients'])
  })
})

describe('lists', () => {
  it('are walked page by page, and only as far as the loop goes', async () => {
    const { sav, service, sent } = await connected()
    await newCases(service, 5)
    const ids: number[] = []
    for await (const found of sav.each('/api/v1/sav', { query: { limite: 2, statut: 'ouvert' } })) ids.push(found.id)
    expect(ids).toEqual([5, 4, 3, 2, 1])
    expect(sent.map(({ url }) => new URL(url).search.replace(/[\w-]{20,}$/, '…'))).toEqual([
      '?limite=2&statut=ouvert',
      '?limite=2&statut=ouvert&curseur=…',
      '?limite=2&statut=ouvert&curseur=…',
    ])

    sent.length = 0
    for await (const _ of sav.each('/api/v1/sav', { query: { limite: 2 } })) break
    expect(sent).toHaveLength(1)
    for await (const _ of sav.each('/api/v1/sav', { query: { statut: 'clos' } })) expect.fail()
  })

  it('are walked to the end even if the loop closes each case', async () => {
    const { sav, service } = await connected()
    await newCases(service, 10)
    const ids: number[] = []
    for await (const { id } of sav.each('/api/v1/sav', { query: { limite: 3, statut: 'ouvert' } })) {
      ids.push(id)
      await sav.post('/api/v1/sav/{id}/cloturer', { params: { id }, body: { resolution: 'Charnière remplacée.' } })
    }
    expect(ids).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect((await sav.get('/api/v1/sav', { query: { statut: 'ouvert' } })).data).toEqual([])
  })

  it('can be walked from a given page, and by cursors alone if their pages have no numbers', async () => {
    const { sav, service, sent } = await connected()
    await sav.post('/api/v1/webhooks', { body: { url: 'https://a.example/', events: ['sav.created'] } })
    await newCases(service, 5)
    const ids: number[] = []
    for await (const { id } of sav.each('/api/v1/sav', { query: { limite: 2, page: 2 } })) ids.push(id)
    expect(ids).toEqual([3, 2, 1])
    sent.length = 0
    const found = new Set<string>()
    for await (const { id } of sav.each('/api/v1/webhooks/livraisons', { query: { limite: 3 } })) found.add(id)
    expect(found.size).toBe(5)
    expect(sent).toHaveLength(2)
  })
})

describe('a call that fails', () => {
  const create = ({ sav, service }: Awaited<ReturnType<typeof connected>>) =>
    sav.post('/api/v1/sav', { body: { client_id: service.client_id, description } })

  it('is repeated with the same Idempotency-Key, after growing pauses', async () => {
    const each = await connected((pass, nth) => (nth < 4 ? Promise.reject(new TypeError('fetch failed')) : pass()))
    await create(each)
    const header = (name: string) => each.sent.map(({ headers }) => headers.get(name))
    expect(header('idempotency-key')).toEqual(Array(4).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)))
    expect(new Set(header('idempotency-key')).size).toBe(1)
    expect(each.waits).toHaveLength(3)
    for (const [n, ms] of each.waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(125 * 2 ** n)
      expect(ms).toBeLessThanOrEqual(250 * 2 ** n)
    }
  })

  it('keeps a given Idempotency-Key', async () => {
    const { sav, service, sent } = await connected()
    const body = { client_id: service.client_id, description }
    await sav.post('/api/v1/sav', { body, headers: { 'Idempotency-Key': 'mine' } })
    expect(sent[0]?.headers.get('idempotency-key')).toBe('mine')
  })

  it('is made at most four times', async () => {
    const each = await connected(() => Promise.reject(new TypeError('fetch failed')))
    await expect(each.sav.get('/api/v1/sav')).rejects.toThrow('fetch failed')
    expect(each.sent).toHaveLength(4)
  })

  it.each([
    [503, '2', 2000],
    [429, '30', 30_000],
    [503, 'nonsense', 125],
  ])('with %i is repeated after Retry-After: %s', async (status, after, atLeastMs) => {
    const each = await connected((pass, nth) => (nth === 1 ? answering(status, { 'retry-after': after }) : pass()))
    await create(each)
    expect(each.waits[0]).toBeGreaterThanOrEqual(atLeastMs)
    expect(each.sent).toHaveLength(2)
  })

  it('is not repeated if Retry-After is more than 30 s', async () => {
    const each = await connected(() => answering(429, { 'retry-after': '31' }))
    expect(await refusalOf(create(each))).toMatchObject({ status: 429 })
    expect(each.sent).toHaveLength(1)
  })

  it.each([400, 401, 403, 404, 409, 412, 422, 500])('with %i is not repeated', async (status) => {
    const each = await connected(() => answering(status))
    expect(await refusalOf(each.sav.get('/api/v1/sav'))).toMatchObject({ status })
    expect(each.sent).toHaveLength(1)
  })

  it('is not repeated if it is a PUT or DELETE, unless a 503 says that nothing was changed', async () => {
    const params = { endpoint: 'wh_1' }
    const lost = await connected(() => Promise.reject(new TypeError('fetch failed')))
    await expect(lost.sav.delete('/api/v1/webhooks/{endpoint}', { params })).rejects.toThrow('fetch failed')
    expect(lost.sent).toHaveLength(1)
    const gateway = await connected(() => answering(502))
    await refusalOf(gateway.sav.put('/api/v1/webhooks/{endpoint}', { params, body: {} }))
    expect(gateway.sent).toHaveLength(1)
    const busy = await connected((pass, nth) => (nth === 1 ? answering(503) : pass()))
    await refusalOf(busy.sav.put('/api/v1/webhooks/{endpoint}', { params, body: {} }))
    expect(busy.sent).toHaveLength(2)
  })

  it('is not repeated once its caller has aborted', async () => {
    const abort = new AbortController()
    const each = await connected(() => {
      abort.abort(new Error('enough'))
      return Promise.reject(abort.signal.reason)
    })
    await expect(each.sav.get('/api/v1/sav', { signal: abort.signal })).rejects.toThrow('enough')
    expect(each.sent).toHaveLength(1)
  })

  it.each([1, 3])('because of its time limit is made %i times', async (attempts) => {
    const { options, sent, waits } = await connected()
    const never: ClientOptions['fetch'] = (url, init) => {
      sent.push(new Request(url, init))
      return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    }
    const sav = createClient({ ...options, attempts, timeoutMs: 1, fetch: never })
    await expect(sav.get('/api/v1/sav')).rejects.toMatchObject({ name: 'TimeoutError' })
    expect([sent.length, waits.length]).toEqual([attempts, attempts - 1])
  })

  it('calls onRetry before it is repeated, and is not repeated if onRetry throws', async () => {
    const told: unknown[] = []
    const { options, sent } = await connected((pass, nth) => (nth < 3 ? answering(503) : pass()))
    const sav = createClient({ ...options, onRetry: (retry) => void told.push(retry) })
    await sav.get('/healthz')
    const retry = (attempt: number) => ({
      ...{ method: 'GET', url: `${baseUrl}/healthz`, attempt },
      ...{ waitMs: expect.any(Number), error: expect.any(SavApiError) },
    })
    expect(told).toEqual([retry(1), retry(2)])
    sent.length = 0
    const stopping = createClient({
      ...options,
      onRetry: () => {
        throw new Error('not again')
      },
    })
    await expect(stopping.get('/healthz')).rejects.toThrow('not again')
    expect(sent).toHaveLength(1)
  })

  it.each(['', 'sav.example', '/api', 'ftp://sav.example', 'https://'])('cannot be made with base URL %j', (wrong) => {
    expect(() => createClient({ baseUrl: wrong })).toThrow(`not ${JSON.stringify(wrong)}`)
  })

  it('leaves no listener on its caller’s signal', async () => {
    const { signal } = new AbortController()
    const listening = new Set<unknown>()
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listening.add(args[1])
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listening.delete(args[1])
      remove(...args)
    }
    const { options } = await connected((pass, nth) => (nth === 1 ? answering(503) : pass()))
    const { clock: _, ...withOwnClock } = options
    await createClient(withOwnClock).get('/healthz', { signal })
    expect(listening.size).toBe(0)
  })
})
