import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { bodyOf, Client, serve } from '../../test/listening.js'
import { requestHead, statusesIn } from '../../test/raw-socket.js'
import { openService, type Service } from '../../test/service.js'
import { createFetchHandler } from '../fetch.js'

const MiB = 1024 * 1024

describe('a client with an Expect header', () => {
  it('gets 100 Continue once key, timestamp and permission are right', async () => {
    const { service, url } = await serve()
    const body = JSON.stringify({ client_id: service.client_id, description: 'La porte ne ferme plus.' })
    const client = new Client(url)
    client.socket.write(
      requestHead('POST', '/api/v1/sav', {
        ...service.auth(),
        expect: '100-continue',
        'content-length': String(body.length),
      }),
    )
    await client.until((received) => received.includes('100 Continue'))
    client.socket.write(body)
    await client.until((received) => received.includes('"data"'))
    expect(statusesIn(client.received)).toEqual([100, 201])
  })

  it.each([
    ['key', 401, () => ({ authorization: 'Bearer x' })],
    ['timestamp', 401, () => ({ 'x-request-timestamp': '1' })],
    ['permission', 403, async (service: Service) => ({ authorization: `Bearer ${await service.key(['sav:read'])}` })],
    ['length', 413, () => ({ 'content-length': String(73 * MiB) })],
    ['type', 415, () => ({ 'content-type': 'text/plain' })],
  ])('gets no 100 Continue when its %s is wrong', async (_, status, wrong) => {
    const { service, url } = await serve({ maxDrainMs: 50 })
    const client = new Client(url)
    const asked = { ...service.auth(), expect: '100-continue', 'content-length': '100', ...(await wrong(service)) }
    client.socket.write(requestHead('POST', '/api/v1/sav', asked))
    expect(statusesIn(await client.rest())).toEqual([status])
    expect(client.received).toMatch(/^connection: close/im)
  })

  it('is answered normally if it expects something else', async () => {
    const { service, url } = await serve()
    const client = new Client(url)
    client.socket.write(requestHead('GET', '/api/v1/sav', { ...service.auth(), expect: 'miracles' }))
    await client.until((received) => received.includes('"pagination"'))
    expect(statusesIn(client.received)).toEqual([200])
  })
})

describe('a refused body', () => {
  it.each([
    ['without a key', 401, {}],
    ['too long', 413, undefined],
  ])('%s is drained, so that a client that sends 73 MiB before it reads gets the answer', async (_, status, auth) => {
    const { service, url } = await serve()
    const client = new Client(url)
    client.socket.pause()
    client.socket.write(
      requestHead('POST', '/api/v1/sav', { ...(auth ?? service.auth()), 'content-length': String(73 * MiB) }),
    )
    for (let i = 0; i < 73; i += 1) {
      if (!client.socket.write(Buffer.alloc(MiB))) await once(client.socket, 'drain')
    }
    client.socket.resume()
    await client.until((received) => received.includes('"success":false'))
    expect(statusesIn(client.received)).toEqual([status])
  })

  it('is drained only up to a maximum number of bytes', async () => {
    const { url } = await serve({ maxDrainBytes: MiB, maxDrainMs: 60_000 })
    const client = new Client(url)
    client.socket.write(requestHead('POST', '/api/v1/sav', { 'content-length': String(73 * MiB) }))
    client.socket.write(Buffer.alloc(2 * MiB))
    expect(statusesIn(await client.rest())).toEqual([401])
  })

  it('is drained only for a limited time', async () => {
    const { url } = await serve({ maxDrainMs: 100 })
    const client = new Client(url)
    client.socket.write(requestHead('POST', '/api/v1/sav', { 'content-length': '100' }))
    client.socket.write('only a part')
    expect(statusesIn(await client.rest())).toEqual([401])
  })

  it('is read before it is answered, so that the connection stays open for a proxy’s other callers', async () => {
    const { url } = await serve({ maxDrainPauseMs: 60_000 })
    const client = new Client(url)
    for (let calls = 1; calls <= 2; calls += 1) {
      await client.send(requestHead('POST', '/api/v1/sav', { 'content-length': String(MiB) }))
      for (let sent = 0; sent < 8; sent += 1) await client.send('x'.repeat(MiB / 8))
      await client.until((received) => received.split('"success":false').length > calls)
    }
    expect(statusesIn(client.received)).toEqual([401, 401])
    expect(client.received).not.toMatch(/^connection: close/im)
  })

  it('that does not arrive is answered, and the connection is closed', async () => {
    const { url } = await serve({ maxDrainPauseMs: 50 })
    const client = new Client(url)
    client.socket.write(requestHead('POST', '/api/v1/sav', { 'content-length': '100' }))
    await client.until((received) => received.includes('"success":false'))
    expect(statusesIn(client.received)).toEqual([401])
    expect(client.received).toMatch(/^connection: close/im)
  })

  it('that has already arrived keeps the connection open', async () => {
    const { service, url } = await serve()
    const client = new Client(url)
    client.socket.write(`${requestHead('POST', '/nowhere', { ...service.auth(), 'content-length': '2' })}{}`)
    await client.until((received) => received.includes('Not found'))
    client.socket.write(requestHead('GET', '/healthz', {}))
    await client.until((received) => received.includes('"success":true'))
    expect(statusesIn(client.received)).toEqual([404, 200])
  })
})

describe('a body', () => {
  const minSpeed = { graceMs: 200, bytesPerSecond: 10_000 }
  const begun = (service: Service) =>
    requestHead('POST', '/api/v1/sav', { ...service.auth(), 'content-length': '100000' })

  it('that stops arriving is answered 408 when its grace period is over', async () => {
    const { service, url } = await serve({ minSpeed })
    const client = new Client(url)
    const started = performance.now()
    client.socket.write(`${begun(service)}{`)
    const answer = await client.rest()
    expect(statusesIn(answer)).toEqual([408])
    expect(bodyOf(answer)).toMatchObject({ success: false, error: 'Request timeout' })
    expect(answer).toMatch(/^x-request-id: \S+\r$/im)
    // A busy machine may be late, but the whole body would have taken longer.
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(service.calls).toMatchObject([{ status: 408, endpoint: '/api/v1/sav' }])
  })

  it('that arrives faster than the minimum speed is read, however long it takes', async () => {
    const { service, url } = await serve({ minSpeed })
    const body = JSON.stringify({ client_id: service.client_id, description: 'La porte ne ferme plus.' }).padEnd(
      100_000,
    )
    const client = new Client(url)
    client.socket.write(begun(service))
    // Ten times the minimum speed, because the waits are longer on a busy machine.
    for (let sent = 0; sent < 50_000; sent += 5000) {
      client.socket.write(body.slice(sent, sent + 5000))
      await setTimeout(50)
    }
    client.socket.write(body.slice(50_000))
    await client.until((received) => received.includes('"success"'))
    expect(statusesIn(client.received)).toEqual([201])
  })
})

describe('all bodies together', () => {
  it('are limited to a total size, through fetch as well', async () => {
    const service = await openService(undefined, { maxBodyBytesAtOnce: 8000 })
    const handle = createFetchHandler(service.api)
    const body = JSON.stringify({ client_id: service.client_id, description: 'La porte ne ferme plus.' })
    const post = (length: number) =>
      handle(
        new Request('https://api.test/api/v1/sav', {
          method: 'POST',
          headers: service.auth(),
          body: body.padEnd(length),
        }),
      )
    expect((await post(7000)).status).toBe(201)
    expect((await post(7001)).status).toBe(503)
    expect((await post(7000)).status).toBe(201)
  })
})
