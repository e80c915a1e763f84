import { createServer, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { SendResult } from '@sav/core/ports'
import { describe, expect, it, vi } from 'vitest'
import { listening, post, rawReceiver, read, receiver, selfSigned, sender } from '../../test/receivers.js'
import { createSender } from './sender.js'

describe('the request', () => {
  it('is one POST with the given headers, the exact body, and our User-Agent', async () => {
    const seen: unknown[] = []
    const url = await receiver(async (req, res) => {
      seen.push([req.method, req.url, req.headers, await read(req)])
      res.end('ok')
    })
    const body = '{"texte":"façade 🪚"}'
    const result = await sender().post({
      account_id: 'default',
      url: `${url}/hooks?from=sav`,
      headers: { 'Content-Type': 'application/json', 'X-Webhook-Event': 'sav.created' },
      body,
      timeoutMs: 5000,
    })
    expect(result).toMatchObject({ ok: true, status: 200, error: null, unreachable: false, response: 'ok' })
    expect(result.durationMs).toBeGreaterThanOrEqual(0)
    expect(result.responseHeaders).toMatchObject({ 'content-length': '2' })
    expect(seen).toEqual([
      [
        'POST',
        '/hooks?from=sav',
        expect.objectContaining({
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'x-webhook-event': 'sav.created',
          'user-agent': 'sav/1.2.3',
        }),
        body,
      ],
    ])
  })

  it('reuses its connection', async () => {
    const sockets = new Set<Socket>()
    const url = await receiver((req, res) => {
      sockets.add(req.socket)
      res.end()
    })
    const from = sender()
    for (let i = 0; i < 5; i += 1) expect((await post(url, { from })).ok).toBe(true)
    // The next attempt may begin before the answer's last byte has freed the first connection.
    expect(sockets.size).toBeLessThanOrEqual(2)
  })

  it('goes over a new connection after a minute, since the receiver may have moved', async () => {
    const sockets = new Set<Socket>()
    const url = await receiver((req, res) => {
      sockets.add(req.socket)
      res.end()
    })
    vi.useFakeTimers({ toFake: ['performance'] })
    const from = sender({ maxConnectionsPerOrigin: 1 })
    for (const [ageMs, expected] of [
      [59_000, 1],
      [2_000, 1],
      [0, 2],
    ] as const) {
      expect((await post(url, { from })).ok).toBe(true)
      expect(sockets.size).toBe(expected)
      vi.advanceTimersByTime(ageMs)
    }
    vi.useRealTimers()
  })

  it('waits while the limit of connections to one origin is reached', async () => {
    const waiting: ServerResponse[] = []
    let most = 0
    const url = await receiver((_, res) => {
      most = Math.max(most, waiting.push(res))
      if (waiting.length === 2) for (const each of waiting.splice(0)) setImmediate(() => each.end())
    })
    const from = sender({ maxConnectionsPerOrigin: 2 })
    const results = await Promise.all(Array.from({ length: 6 }, () => post(url, { from })))
    expect(results.every(({ ok }) => ok)).toBe(true)
    expect(most).toBe(2)
  })
})

describe('the answer', () => {
  it('that is a redirect is not followed', async () => {
    let calls = 0
    const url = await receiver((_, res) => {
      calls += 1
      res.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect(await post(url)).toMatchObject({ ok: false, error: 'answered 307: redirects are not followed' })
    expect(calls).toBe(1)
  })

  it.each([
    [16 * 1024, 16 * 1024],
    [16 * 1024 + 1, 16 * 1024],
    [10 * 1024 * 1024, 16 * 1024],
  ])('of %i bytes is kept up to %i', async (sent, kept) => {
    const url = await receiver((_, res) => res.end('x'.repeat(sent)))
    const result = await post(url)
    expect(result.ok).toBe(true)
    expect(result.response).toBe('x'.repeat(kept))
  })

  it('is cut between characters, not inside one', async () => {
    const url = await receiver((_, res) => res.end(`x${'é'.repeat(9000)}`))
    expect((await post(url)).response).toBe(`x${'é'.repeat(8191)}`)
  })

  it('is kept as text without NUL or invalid characters', async () => {
    const url = await receiver((_, res) => res.end(Buffer.from([0x61, 0x00, 0xff, 0x62])))
    expect((await post(url)).response).toBe('a\ufffd\ufffdb')
  })

  it('is not decompressed', async () => {
    const packed = gzipSync('x'.repeat(1_000_000))
    const url = await receiver((_, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(packed))
    const { response } = await post(url)
    expect(response?.length).toBeLessThanOrEqual(packed.length)
    expect(gunzipSync(packed).length).toBe(1_000_000)
  })

  it.each([
    [64, 64],
    [65, 64],
    [500, 64],
  ])('has %i headers, of which %i are kept', async (sent, kept) => {
    const lines = Array.from({ length: sent }, (_, i) => `x-${i}: ${i}\r\n`).join('')
    const url = await rawReceiver((socket) => socket.end(`HTTP/1.1 200 OK\r\n${lines}\r\n`))
    const { responseHeaders } = await post(url)
    expect(Object.keys(responseHeaders ?? {})).toHaveLength(kept)
  })

  it.each([
    ['fit', 8 * 1024 - 'x-long'.length, 8 * 1024 - 'x-long'.length],
    ['are cut', 8 * 1024 - 'x-long'.length + 1, 8 * 1024 - 'x-long'.length],
  ])('has headers that %s in 8 KiB', async (_, sent, kept) => {
    const url = await rawReceiver((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nx-long: ${'y'.repeat(sent)}\r\nz: 1\r\n\r\n`),
    )
    expect((await post(url)).responseHeaders).toEqual({ 'x-long': 'y'.repeat(kept) })
  })

  it('has its repeated headers joined', async () => {
    const url = await receiver((_, res) => res.writeHead(200, { 'x-one': ['a', 'b'] }).end())
    expect((await post(url)).responseHeaders).toMatchObject({ 'x-one': 'a, b' })
  })
})

describe('the deadline', () => {
  const timeoutMs = 200

  async function timed(url: string, options: Parameters<typeof post>[1] = {}): Promise<SendResult> {
    const limitMs = options.timeoutMs ?? timeoutMs
    const startedAt = performance.now()
    const result = await post(url, { ...options, timeoutMs: limitMs })
    const took = performance.now() - startedAt
    expect(took).toBeGreaterThanOrEqual(limitMs - 1)
    // A busy machine may be late.
    expect(took).toBeLessThan(limitMs + 10_000)
    return result
  }
  const timedOut = { ok: false, status: null, error: 'timed out after 0.2 s', unreachable: true, response: null }

  it('ends an attempt that waits for a connection', async () => {
    const url = await receiver(() => {})
    const from = sender({ maxConnectionsPerOrigin: 1 })
    // A fraction of a millisecond, as when part of the delivery's time is used up.
    const first = post(url, { from, timeoutMs: 999.4895 })
    expect(await timed(url, { from })).toMatchObject(timedOut)
    expect(await first).toMatchObject({ error: 'timed out after 1 s' })
  })

  it('closes the connection of an aborted attempt', async () => {
    const closed = Promise.withResolvers<void>()
    const url = await receiver((req) => void req.socket.once('close', () => closed.resolve()))
    await timed(url)
    await closed.promise
  })

  it('is separate for each attempt', async () => {
    const url = await receiver((_, res) => void setTimeout(() => res.end(), 300))
    const from = sender()
    const [short, long] = await Promise.all([post(url, { from, timeoutMs: 100 }), post(url, { from, timeoutMs: 2000 })])
    expect(short.ok).toBe(false)
    expect(long.ok).toBe(true)
  })
})

describe('an attempt fails because of', () => {
  it('an answer that switches to another protocol', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'
    expect(await post(await rawReceiver((socket) => socket.end(upgrade)))).toMatchObject({ ok: false, status: null })
  })

  it('no listener', async () => {
    const server = createServer()
    const url = await listening(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await post(url)).toMatchObject({ ok: false, status: null, error: 'connection refused', unreachable: true })
  })

  it('an untrusted certificate', async () => {
    const url = await listening(
      createTlsServer(selfSigned, (_, res) => void res.end()),
      'https',
    )
    expect(await post(url)).toMatchObject({ error: 'the TLS certificate is self-signed', unreachable: true })
  })

  it.each(['nonsense', 'ftp://127.0.0.1/', 'http://'])('an invalid URL: %s', async (url) => {
    expect(await post(url)).toMatchObject({ ok: false, status: null, error: 'the request failed' })
  })

  it('a header that cannot be sent', async () => {
    const result = await post(await receiver((_, res) => void res.end()), { headers: { 'X-Bad': 'a\r\nb' } })
    expect(result).toMatchObject({ ok: false, error: 'the request failed' })
  })
})

describe('closing', () => {
  it('ends attempts in progress, and leaves no connection', async () => {
    const came = Promise.withResolvers<void>()
    const url = await receiver(() => came.resolve())
    const from = createSender({ userAgent: 'sav', allowLocal: true })
    const attempt = post(url, { from })
    await came.promise
    await from.close()
    expect(await attempt).toMatchObject({ ok: false, status: null })
  })
})
