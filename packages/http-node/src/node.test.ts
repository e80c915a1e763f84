import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openService, type Service } from '../test/service.js'
import type { Api } from './exchange.js'
import { type Listener, type ListenerLimits, listen } from './node.js'

const MiB = 1024 * 1024
const opened: Listener[] = []
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const listener of opened.splice(0)) await listener.close()
})

async function serve(limits: Partial<ListenerLimits> = {}): Promise<{ service: Service; url: string }> {
  const service = await openService()
  return { service, url: (await start(service.api, limits)).url }
}

async function start(api: Api, limits: Partial<ListenerLimits> = {}): Promise<Listener> {
  const listener = await listen(api, { host: '127.0.0.1', port: 0, limits })
  opened.push(listener)
  return listener
}

/** A client that sends bytes as they are. */
class Client {
  readonly socket: Socket
  received = ''
  closed = false
  #changed = () => {}

  constructor(url: string) {
    this.socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
    sockets.push(this.socket)
    const close = () => {
      this.closed = true
      this.#changed()
    }
    this.socket.on('end', close).on('close', close).on('error', close)
    this.socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1')
      this.#changed()
    })
  }

  /** Resolves when the bytes have left. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()))
  }

  /** Resolves as soon as the condition holds or the server has ended the connection. */
  async until(condition: (received: string) => boolean): Promise<string> {
    while (!condition(this.received) && !this.closed)
      await new Promise<void>((resolve) => {
        this.#changed = resolve
      })
    return this.received
  }

  /** Everything until the server ends the connection. */
  async rest(): Promise<string> {
    return this.until(() => false)
  }
}

function head(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: 'api.test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n') + 4))
const statuses = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

describe('a client that asks before it sends', () => {
  it('is told to go on once key, timestamp and permission are right', async () => {
    const { service, url } = await serve()
    const body = JSON.stringify({ client_id: service.client_id, description: 'La porte ne ferme plus.' })
    const client = new Client(url)
    client.socket.write(
      head('POST', '/api/v1/sav', { ...service.auth(), expect: '100-continue', 'content-length': String(body.length) }),
    )
    await client.until((received) => received.includes('100 Continue'))
    client.socket.write(body)
    await client.until((received) => received.includes('"data"'))
    expect(statuses(client.received)).toEqual([100, 201])
  })

  it.each([
    ['key', 401, () => ({ authorization: 'Bearer x' })],
    ['timestamp', 401, () => ({ 'x-request-timestamp': '1' })],
    ['permission', 403, async (service: Service) => ({ authorization: `Bearer ${await service.key(['sav:read'])}` })],
    ['length', 413, () => ({ 'content-length': String(73 * MiB) })],
    ['type', 415, () => ({ 'content-type': 'text/plain' })],
  ])('is never told so when its %s is wrong', async (_, status, wrong) => {
    const { service, url } = await serve({ drainMs: 50 })
    const client = new Client(url)
    const asked = { ...service.auth(), expect: '100-continue', 'content-length': '100', ...(await wrong(service)) }
    client.socket.write(head('POST', '/api/v1/sav', asked))
    expect(statuses(await client.rest())).toEqual([status])
    expect(client.received).toMatch(/^connection: close/im)
  })

  it('is answered without its body when it expects something else', async () => {
    const { service, url } = await serve()
    const client = new Client(url)
    client.socket.write(head('GET', '/api/v1/sav', { ...service.auth(), expect: 'miracles' }))
    await client.until((received) => received.includes('"pagination"'))
    expect(statuses(client.received)).toEqual([200])
  })
})

describe('a refused body', () => {
  it('is refused before it is sent', async () => {
    const { url } = await serve({ drainMs: 50 })
    const client = new Client(url)
    client.socket.write(head('POST', '/api/v1/sav', { 'content-length': String(MiB) }))
    expect(bodyOf(await client.rest())).toEqual({ success: false, error: 'Missing or invalid API key' })
  })

  it.each([
    ['without a key', 401, {}],
    ['too long', 413, undefined],
  ])('%s is taken in, so that a client that sends 73 MiB before it reads gets its answer', async (_, status, auth) => {
    const { service, url } = await serve()
    const client = new Client(url)
    client.socket.pause()
    client.socket.write(
      head('POST', '/api/v1/sav', { ...(auth ?? service.auth()), 'content-length': String(73 * MiB) }),
    )
    for (let i = 0; i < 73; i += 1) {
      if (!client.socket.write(Buffer.alloc(MiB))) await once(client.socket, 'drain')
    }
    client.socket.resume()
    expect(statuses(await client.rest())).toEqual([status])
  })

  it('is taken in up to a number of bytes', async () => {
    const { url } = await serve({ drainBytes: MiB, drainMs: 60_000 })
    const client = new Client(url)
    client.socket.write(head('POST', '/api/v1/sav', { 'content-length': String(73 * MiB) }))
    client.socket.write(Buffer.alloc(2 * MiB))
    expect(statuses(await client.rest())).toEqual([401])
  })

  it('is taken in for a while', async () => {
    const { url } = await serve({ drainMs: 100 })
    const client = new Client(url)
    client.socket.write(head('POST', '/api/v1/sav', { 'content-length': '100' }))
    client.socket.write('only a part')
    expect(statuses(await client.rest())).toEqual([401])
  })

  it('that is there already costs the connection nothing', async () => {
    const { service, url } = await serve()
    const client = new Client(url)
    client.socket.write(`${head('POST', '/nowhere', { ...service.auth(), 'content-length': '2' })}{}`)
    await client.until((received) => received.includes('Not found'))
    client.socket.write(head('GET', '/healthz', {}))
    await client.until((received) => received.includes('"success":true'))
    expect(statuses(client.received)).toEqual([404, 200])
  })
})

describe('a client that leaves', () => {
  it('in the middle of its body has written nothing', async () => {
    const { service, url } = await serve()
    const before = (await service.sav.cases.list('default', {})).total
    const body = JSON.stringify({ client_id: service.client_id, description: 'La porte ne ferme plus.' })
    for (const leave of ['end', 'destroy'] as const) {
      service.calls.length = 0
      const client = new Client(url)
      const length = String(body.length + 1)
      await client.send(head('POST', '/api/v1/sav', { ...service.auth(), 'content-length': length }) + body)
      await called(service, () => client.socket[leave]())
      expect(service.calls).toMatchObject([{ status: 400, endpoint: '/api/v1/sav' }])
    }
    expect((await service.sav.cases.list('default', {})).total).toBe(before)
    expect(service.failures).toEqual([])
  })

  it('before its body was asked for harms nobody', async () => {
    const service = await openService()
    const [gone, leave] = gate()
    const [came, come] = gate()
    const { url } = await start(async (request) => {
      if (request.method === 'POST') {
        come()
        await gone
      }
      return service.api(request)
    })
    const client = new Client(url)
    await client.send(head('POST', '/api/v1/sav', { ...service.auth(), 'content-length': '100' }))
    await came
    client.socket.destroy()
    const other = new Client(url)
    await other.send(head('GET', '/healthz', { connection: 'close' }))
    expect(statuses(await other.rest())).toEqual([200])
    await called(service, leave)
    expect(service.calls.at(-1)).toMatchObject({ status: 400 })
  })

  it('with its side closed after the request is answered', async () => {
    const { service, url } = await serve()
    const client = new Client(url)
    client.socket.end(head('GET', '/api/v1/sav', service.auth()))
    expect(statuses(await client.rest())).toEqual([200])
  })
})

/** A promise, and what resolves it. */
function gate(): [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>()
  return [promise, resolve]
}

/** Does `act` and waits until the next call is over. */
async function called(service: Service, act: () => void): Promise<void> {
  const count = service.calls.length
  act()
  while (service.calls.length === count) await new Promise((resolve) => setImmediate(resolve))
}

describe('bytes that are no request', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['a bad header', 'GET / HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n', 400],
    ['a length that is none', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1x\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
    ['length and chunks', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n', 400],
    ['a header of 17 KiB', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(17 * 1024)}\r\n\r\n`, 431],
  ])('%s are answered in our own words', async (_, bytes, status) => {
    const { url } = await serve()
    const client = new Client(url)
    client.socket.write(bytes)
    const answer = await client.rest()
    expect(statuses(answer)).toEqual([status])
    expect(answer).toMatch(/^x-request-id: \S+\r$/im)
    expect(answer).toMatch(/^content-type: application\/json; charset=utf-8\r$/im)
    expect(bodyOf(answer)).toMatchObject({ success: false, error: expect.stringMatching(/\S/) })
  })

  it('a request without a host, or with two, is refused', async () => {
    const { service, url } = await serve()
    for (const hosts of ['', 'host: a\r\nhost: b\r\n']) {
      const client = new Client(url)
      const { authorization } = service.auth()
      client.socket.write(
        `GET /api/v1/sav HTTP/1.1\r\n${hosts}authorization: ${authorization}\r\nconnection: close\r\n\r\n`,
      )
      expect(bodyOf(await client.rest())).toEqual({ success: false, error: 'Bad request' })
    }
  })

  it('headers that never end are answered after a while', async () => {
    const { url } = await serve({ headersTimeoutMs: 200 })
    const client = new Client(url)
    client.socket.write('GET / HTTP/1.1\r\nhost: a\r\n')
    const answer = await client.rest()
    expect(statuses(answer)).toEqual([408])
    expect(bodyOf(answer)).toEqual({ success: false, error: 'Request timeout' })
  })

  it('a body that never ends is answered after a while', async () => {
    const { service, url } = await serve({ headersTimeoutMs: 200, requestTimeoutMs: 300 })
    const client = new Client(url)
    client.socket.write(`${head('POST', '/api/v1/sav', { ...service.auth(), 'content-length': '100' })}{`)
    expect(statuses(await client.rest())).toEqual([408])
  })
})

describe('a connection', () => {
  it('carries many requests, also pipelined, answered in their order', async () => {
    const { service, url } = await serve()
    const client = new Client(url)
    client.socket.write(
      head('GET', '/healthz', {}) + head('GET', '/api/v1/sav', service.auth()) + head('GET', '/x', {}),
    )
    await client.until((received) => statuses(received).length === 3)
    expect(statuses(client.received)).toEqual([200, 200, 401])
  })

  it('may name the whole URL', async () => {
    const { service, url } = await serve()
    const client = new Client(url)
    client.socket.write(head('GET', 'http://api.test/api/v1/sav?limite=1', service.auth()))
    await client.until((received) => received.includes('"limite":1'))
  })

  it('is closed when idle', async () => {
    const { url } = await serve({ keepAliveTimeoutMs: 100 })
    const client = new Client(url)
    client.socket.write(head('GET', '/healthz', {}))
    expect(statuses(await client.rest())).toEqual([200])
  })
})

describe('closing the listener', () => {
  it('lets calls under way finish, closes idle connections, and accepts no more', async () => {
    const [held, answer] = gate()
    const [coming, came] = gate()
    const listener = await start(async ({ target }) => {
      if (target === '/slow') {
        came()
        await held
      }
      return { status: 200, headers: ['Content-Length', '4'], body: 'done' }
    })
    const idle = new Client(listener.url)
    idle.socket.write(head('GET', '/', {}))
    await idle.until((received) => received.endsWith('done'))
    const silent = new Client(listener.url)
    await once(silent.socket, 'connect')
    const busy = new Client(listener.url)
    busy.socket.write(head('GET', '/slow', {}))
    await coming

    const closing = listener.close()
    await idle.rest()
    answer()
    expect(await busy.rest()).toMatch(/connection: close.*done$/is)
    await closing
    expect(await silent.rest()).toBe('')
    const late = new Client(listener.url)
    expect(await late.rest()).toBe('')
  })

  it('waits no longer than its bound', async () => {
    const listener = await start(() => new Promise(() => {}), { closeMs: 100 })
    const stuck = new Client(listener.url)
    stuck.socket.write(head('GET', '/', {}))
    await once(stuck.socket, 'connect')
    await listener.close()
  })
})

describe('listening', () => {
  it('says where, with the port that was picked', async () => {
    const { url } = await serve()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  })

  it('is refused on an address that is taken', async () => {
    const { url, service } = await serve()
    const port = Number(new URL(url).port)
    await expect(listen(service.api, { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
