import { createHook } from 'node:async_hooks'
import { createServer, type Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { namesOf } from '../../test/receivers.js'
import { refusedUrls } from '../../test/refused-urls.js'
import { createSender, type SenderOptions } from './sender.js'

/** How many connections this process began, successful or not. */
let begun = 0
const hook = createHook({
  init(_, type) {
    if (type === 'TCPCONNECTWRAP' || type === 'PIPECONNECTWRAP') begun += 1
  },
})

/** The local address of each connection that this machine received. */
let came: string[] = []
const servers: Server[] = []
let port = 0

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

const listenAt = (host: string) =>
  new Promise<void>((resolve, reject) => {
    const server = createServer((_, res) => void res.writeHead(200, { connection: 'close' }).end())
    server.on('connection', () => came.push(host)).once('error', reject)
    servers.push(server)
    server.listen(port, host, () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) port = address.port
      resolve()
    })
  })

beforeAll(async () => {
  await listenAt('127.0.0.1')
  // Without IPv6, this machine cannot receive connections at ::1.
  if (hasIpv6) await listenAt('::1')
  hook.enable()
})
afterAll(() => {
  hook.disable()
  for (const server of servers) server.close()
})
afterEach(() => {
  begun = 0
  came = []
})

type Answers = readonly (readonly string[])[]

/** A name server with one answer for each look-up in turn. Later look-ups get the last one. */
async function leadingTo(...answers: Answers) {
  /** The ids of questions, each with the number of its look-up. */
  const lookUps = new Map<number, number>()
  let count = 0
  const { address } = await namesOf((_, type, id) => {
    if (type === 'A' && !lookUps.has(id)) count += 1
    const lookUp = lookUps.get(id) ?? Math.max(count, 1)
    lookUps.set(id, lookUp)
    return { addresses: answers[Math.min(lookUp, answers.length) - 1] ?? [], ttlSeconds: 0 }
  })
  return { nameServers: [address], lookUps: () => count }
}

async function post(urls: readonly string[], options: Partial<SenderOptions>) {
  const sender = createSender({ userAgent: 'sav', allowLocal: false, ...options })
  const results = []
  for (const url of urls)
    results.push(await sender.post({ account_id: 'default', url, headers: {}, body: '{}', timeoutMs: 30_000 }))
  await sender.close()
  return results
}

const inner: Answers = [['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1', '10.0.0.1'], ['169.254.169.254', '::1']]

describe('on the socket', () => {
  it('this test notices an allowed connection', async () => {
    const [one] = await post([`http://127.0.0.1:${port}/`], { allowLocal: true })
    expect(one).toMatchObject({ ok: true })
    expect([begun, came]).toEqual([1, ['127.0.0.1']])
  })

  it('no spelling of an internal address opens a connection, and no error reveals the address', async () => {
    const urls = refusedUrls(port)
    expect(urls.length).toBeGreaterThanOrEqual(400)
    const { nameServers } = await leadingTo(...inner)
    const results = await post(urls, { nameServers })
    expect([begun, came]).toEqual([0, []])
    expect(new Set(results.map(({ error }) => error))).toEqual(
      new Set(['the address is not allowed', 'the request failed']),
    )
    expect(results.some(({ ok, status }) => ok || status !== null)).toBe(false)
    // The others cannot be parsed as URLs.
    expect(results.filter(({ error }) => error === 'the address is not allowed').length).toBeGreaterThan(350)
  })

  it('no spelling of an internal address or of localhost opens a connection through a proxy', async () => {
    const urls = refusedUrls(port).filter((url) => {
      const hostname = URL.parse(url)?.hostname
      return hostname === undefined || /^[\d.]+$|^\[|(^|\.)localhost\.?$/.test(hostname)
    })
    expect(urls.length).toBeGreaterThanOrEqual(350)
    await post(urls, { proxy: `http://127.0.0.1:${port}` })
    expect([begun, came]).toEqual([0, []])
  })
})

describe('a name', () => {
  const url = () => `http://receiver.example:${port}/`
  const isAllowed = (ip: string) => ip === '127.0.0.1'

  it('is connected to at the address that was checked', async () => {
    const { nameServers, lookUps } = await leadingTo(['127.0.0.1'], ['::1'])
    const [result] = await post([url()], { nameServers, isAllowed })
    expect(result).toMatchObject({ ok: true })
    expect(lookUps()).toBe(1)
    expect(came).toEqual(['127.0.0.1'])
  })

  it('that resolves to another address at the next attempt is checked again', async () => {
    const { nameServers, lookUps } = await leadingTo(['127.0.0.1'], ['::1'])
    const results = await post([url(), url()], { nameServers, isAllowed })
    expect(results).toMatchObject([{ ok: true }, { ok: false, error: 'the address is not allowed' }])
    expect(lookUps()).toBe(2)
    expect([begun, came]).toEqual([1, ['127.0.0.1']])
  })

  it('that resolves to several addresses is connected to at the allowed one', async () => {
    const { nameServers } = await leadingTo(['::1', '127.0.0.1', '10.0.0.1'])
    const [result] = await post([url()], { nameServers, isAllowed })
    expect(result).toMatchObject({ ok: true })
    expect([begun, came]).toEqual([1, ['127.0.0.1']])
  })

  it('without an address fails with that reason', async () => {
    const { address } = await namesOf(() => ({ addresses: [], rcode: 'NXDOMAIN' }))
    const [result] = await post(['https://receiver.invalid/'], { nameServers: [address] })
    expect(result).toMatchObject({ error: 'could not resolve the host name', unreachable: true })
  })
})

describe('allowed networks', () => {
  it.each([
    [['127.0.0.1'], true],
    [['127.0.0.0/8'], true],
    [['10.0.0.0/8', '127.0.0.0/30'], true],
    [['127.0.0.0/32'], false],
    [['127.0.0.2/31'], false],
    [['::1'], false],
    [[], false],
  ])('%j allow 127.0.0.1: %s', async (allowCidrs, ok) => {
    const { nameServers } = await leadingTo(['127.0.0.1'])
    const results = await post([`http://127.0.0.1:${port}/`, `http://receiver.example:${port}/`], {
      allowCidrs,
      nameServers,
    })
    expect(results).toMatchObject([{ ok }, { ok }])
    expect([begun, came.length]).toEqual(ok ? [2, 2] : [0, 0])
  })

  it.each(['10.0.0.0/33', '10.1', 'receiver.example', '', '::ffff:10.0.0.1'])('cannot be %j', (cidr) => {
    expect(() => createSender({ userAgent: 'sav', allowLocal: false, allowCidrs: [cidr] })).toThrow(RangeError)
  })
})
