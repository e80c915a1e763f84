import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { bodyOf, Client, called, gate, serve, start } from '../../test/listening.js'
import { requestHead, statusesIn } from '../../test/raw-socket.js'
import { openService } from '../../test/service.js'
import { listen } from './listener.js'

const MiB = 1024 * 1024

describe('a client that leaves', () => {
  it('in the middle of its body changes nothing', async () => {
    const { service, url } = await serve()
    const before = (await service.sav.cases.list('default', {})).total
    const body = JSON.stringify({ client_id: service.client_id, description: 'La porte ne ferme plus.' })
    for (const leave of ['end', 'destroy'] as const) {
      service.calls.length = 0
      const client = new Client(url)
      const length = String(body.length + 1)
      await client.send(requestHead('POST', '/api/v1/sav', { ...service.auth(), 'content-length': length }) + body)
      await called(service, () => client.socket[leave]())
      expect(service.calls).toMatchObject([{ status: 400, endpoint: '/api/v1/sav' }])
    }
    expect((await service.sav.cases.list('default', {})).total).toBe(before)
    expect(service.failures).toEqual([])
  })

  it('before its body is read affects no other client', async () => {
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
    await client.send(requestHead('POST', '/api/v1/sav', { ...service.auth(), 'content-length': '100' }))
    await came
    client.socket.destroy()
    const other = new Client(url)
    await other.send(requestHead('GET', '/healthz', { connection: 'close' }))
    expect(statusesIn(await other.rest())).toEqual([200])
    await called(service, leave)
    expect(service.calls.at(-1)).toMatchObject({ status: 400 })
  })

  it('is answered if it has only closed its sending side', async () => {
    const { service, url } = await serve()
    const client = new Client(url)
    client.socket.end(requestHead('GET', '/api/v1/sav', service.auth()))
    expect(statusesIn(await client.rest())).toEqual([200])
  })
})

describe('malformed requests', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['a bad header', 'GET / HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n', 400],
    ['an invalid length', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1x\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
    ['length and chunks', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n', 400],
    ['a header of 17 KiB', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(17 * 1024)}\r\n\r\n`, 431],
  ])('with %s get a JSON refusal', async (_, bytes, status) => {
    const { url } = await serve()
    const client = new Client(url)
    client.socket.write(bytes)
    const answer = await client.rest()
    expect(statusesIn(answer)).toEqual([status])
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
      expect(bodyOf(await client.rest())).toMatchObject({ success: false, error: 'Bad request' })
    }
  })

  it('headers that never end time out', async () => {
    const { url } = await serve({ headersTimeoutMs: 200 })
    const client = new Client(url)
    client.socket.write('GET / HTTP/1.1\r\nhost: a\r\n')
    const answer = await client.rest()
    expect(statusesIn(answer)).toEqual([408])
    expect(bodyOf(answer)).toMatchObject({ success: false, error: 'Request timeout' })
  })

  it('a silent connection times out', async () => {
    const { url } = await serve({ headersTimeoutMs: 200 })
    expect(statusesIn(await new Client(url).rest())).toEqual([408])
  })
})

describe('beyond maxConnections', () => {
  const answered = async (client: Client, path = '/healthz') => {
    const before = statusesIn(client.received).length
    client.socket.write(requestHead('GET', path, {}))
    await client.until((received) => statusesIn(received).length > before)
    return statusesIn(client.received).slice(before)
  }

  it('connections without a complete request are closed first, then the one that was idle longest', async () => {
    const { url } = await serve({ maxConnections: 3 })
    const idle = new Client(url)
    expect(await answered(idle)).toEqual([200])
    const unfinished = new Client(url)
    await unfinished.send('GET / HTTP/1.1\r\nhost: a\r\n')
    const silent = new Client(url)
    await once(silent.socket, 'connect')

    const fourth = new Client(url)
    expect(await answered(fourth)).toEqual([200])
    expect(await unfinished.rest()).toBe('')
    // After this request, `idle` is the connection that has been idle for the shortest time.
    expect(await answered(idle)).toEqual([200])
    const fifth = new Client(url)
    expect(await answered(fifth)).toEqual([200])
    expect(await silent.rest()).toBe('')
    const sixth = new Client(url)
    expect(await answered(sixth)).toEqual([200])
    await fourth.rest()
    expect([idle.closed, fourth.closed, fifth.closed]).toEqual([false, true, false])
  })

  it('a connection with a request in progress stays open; if all have one, a new connection is closed', async () => {
    const [held, answer] = gate()
    let came = 0
    const listener = await start(
      async () => {
        came += 1
        await held
        return { status: 200, headers: ['Content-Length', '4'], body: 'done' }
      },
      { maxConnections: 2 },
    )
    const busy = [new Client(listener.url), new Client(listener.url)]
    for (const client of busy) client.socket.write(requestHead('GET', '/', {}))
    while (came < 2) await setTimeout(1)
    const late = new Client(listener.url)
    expect(await late.rest()).toBe('')
    answer()
    for (const client of busy) await client.until((received) => received.endsWith('done'))
    const next = new Client(listener.url)
    next.socket.write(requestHead('GET', '/', {}))
    expect(await next.until((received) => received.endsWith('done'))).toContain('done')
  })
})

describe('a call', () => {
  it('is cut off when its connection has stalled for too long', async () => {
    const listener = await start(() => new Promise(() => {}), { maxStalledMs: 200 })
    const client = new Client(listener.url)
    client.socket.write(requestHead('GET', '/', {}))
    expect(await client.rest()).toBe('')
  })
})

describe('an answer', () => {
  it('that the client does not read is cut off', async () => {
    const body = 'x'.repeat(32 * MiB)
    const minSpeed = { graceMs: 100, bytesPerSecond: 1024 * MiB }
    const listener = await start(
      async () => ({ status: 200, headers: ['Content-Length', String(body.length)], body }),
      { minSpeed },
    )
    const client = new Client(listener.url)
    client.socket.pause()
    client.socket.write(requestHead('GET', '/', {}))
    await setTimeout(500)
    client.socket.resume()
    expect((await client.rest()).length).toBeLessThan(body.length)
  })
})

describe('a connection', () => {
  it('answers pipelined requests in their order', async () => {
    const { service, url } = await serve()
    const client = new Client(url)
    client.socket.write(
      requestHead('GET', '/healthz', {}) +
        requestHead('GET', '/api/v1/sav', service.auth()) +
        requestHead('GET', '/x', {}),
    )
    await client.until((received) => statusesIn(received).length === 3)
    expect(statusesIn(client.received)).toEqual([200, 200, 401])
  })

  it('accepts a request line with an absolute URL', async () => {
    const { service, url } = await serve()
    const client = new Client(url)
    client.socket.write(requestHead('GET', 'http://api.test/api/v1/sav?limite=1', service.auth()))
    await client.until((received) => received.includes('"limite":1'))
  })

  it('is closed when idle, but only after a caller that obeys Keep-Alive would have closed it', async () => {
    const { url } = await serve({ keepAliveTimeoutMs: 1500 })
    const client = new Client(url)
    client.socket.write(requestHead('GET', '/healthz', {}))
    const head = await client.until((received) => received.includes('\r\n\r\n'))
    const answered = performance.now()
    expect(head).toMatch(/^keep-alive: timeout=1\r$/im)
    expect(statusesIn(await client.rest())).toEqual([200])
    expect(performance.now() - answered).toBeGreaterThan(2800)
  })
})

/** Resolves once nothing listens there any more: a lingering close first accepts the waiting connections. */
async function refused(url: string) {
  const { hostname, port } = new URL(url)
  for (;;) {
    const socket = connect(Number(port), hostname)
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (!connected) return
  }
}

describe('closing the listener', () => {
  it('lets calls in progress finish, closes idle connections, and accepts no new ones', async () => {
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
    idle.socket.write(requestHead('GET', '/', {}))
    await idle.until((received) => received.endsWith('done'))
    const silent = new Client(listener.url)
    await once(silent.socket, 'connect')
    const busy = new Client(listener.url)
    busy.socket.write(requestHead('GET', '/slow', {}))
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

  it('with `lingers` answers one more call on each open connection, and accepts no new ones', async () => {
    const limits = { lingers: true, keepAliveTimeoutMs: 60_000, maxCloseMs: 60_000 }
    const service = await openService()
    const { url, close } = await start(service.api, limits)
    const kept = new Client(url)
    await kept.send(requestHead('GET', '/healthz', {}))
    await kept.until((received) => received.includes('"success":true'))
    const silent = new Client(url)
    await once(silent.socket, 'connect')
    const closing = close()
    await refused(url)
    for (const client of [kept, silent]) client.socket.write(requestHead('GET', '/api/v1/sav', service.auth()))
    for (const client of [kept, silent]) expect(await client.rest()).toMatch(/connection: close.*"pagination"/is)
    await closing
  })

  it('with `lingers` closes idle connections after their keep-alive timeout', async () => {
    const listener = await start(async () => ({ status: 200, headers: ['Content-Length', '4'], body: 'done' }), {
      lingers: true,
      keepAliveTimeoutMs: 100,
      maxCloseMs: 60_000,
    })
    const idle = new Client(listener.url)
    idle.socket.write(requestHead('GET', '/', {}))
    await idle.until((received) => received.endsWith('done'))
    await listener.close()
    expect(statusesIn(await idle.rest())).toEqual([200])
  })

  it('waits no longer than maxCloseMs', async () => {
    const listener = await start(() => new Promise(() => {}), { maxCloseMs: 100 })
    const stuck = new Client(listener.url)
    stuck.socket.write(requestHead('GET', '/', {}))
    await once(stuck.socket, 'connect')
    await listener.close()
  })
})

describe('listening', () => {
  it('fails on an address that is in use', async () => {
    const { url, service } = await serve()
    const port = Number(new URL(url).port)
    await expect(listen(service.api, { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
