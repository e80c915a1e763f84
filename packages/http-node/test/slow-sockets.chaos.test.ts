import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ownTime } from '../../../test/own-time.js'
import type { ListenerLimits } from '../src/node-server/limits.js'
import { RawClient, requestHead } from './raw-socket.js'
import { type ServedProcess, serve } from './served-process.js'

const isFull = process.env['SAV_TEST_CHAOS'] === '1'
const slowCount = isFull ? 2000 : 100
const timeoutMs = isFull ? 10_000 : 1000
/** How much later than that they may be cut off. */
const lateMs = 2000
const limits: Partial<ListenerLimits> = isFull
  ? {}
  : { headersTimeoutMs: timeoutMs, minSpeed: { graceMs: timeoutMs, bytesPerSecond: 32 * 1024 } }

/** What slow clients begin with, and go on with, a byte a second. */
const slow = ({ insider: { headers } }: ServedProcess): readonly { first: string; drop: string }[] => [
  { first: '', drop: '' },
  { first: 'G', drop: '' },
  { first: 'GET / HTTP/1.1\r\nhost: a\r\n', drop: 'x' },
  { first: requestHead('POST', '/api/v1/sav', { ...headers, 'content-length': '100000' }), drop: ' ' },
  { first: requestHead('POST', '/api/v1/sav', { ...headers, 'transfer-encoding': 'chunked' }), drop: '1' },
]

describe(`${slowCount} slow clients`, () => {
  /** Resolves when all are connected. */
  async function besiege(served: ServedProcess) {
    const ways = slow(served)
    const clients = Array.from({ length: slowCount }, (_, i) => {
      const client = new RawClient(served.url)
      return { client, way: ways[i % ways.length] }
    })
    for (const { client, way } of clients) await client.send(way?.first ?? '')
    const drops = setInterval(() => {
      for (const { client, way } of clients) if (way?.drop && !client.closed) client.socket.write(way.drop)
    }, 1000)
    return {
      open: () => clients.filter(({ client }) => !client.closed).length,
      end() {
        clearInterval(drops)
        for (const { client } of clients) client.socket.destroy()
      },
    }
  }

  it('are closed soon after their time, and delay no one', async () => {
    const served = await serve(limits)
    const { headers } = served.insider
    const siege = await besiege(served)
    const besieged = ownTime(served.pid)
    const durations: number[] = []

    while (siege.open() > 0 && besieged() < timeoutMs + lateMs) {
      const took = ownTime(served.pid)
      const response = await fetch(`${served.url}/api/v1/sav`, { headers })
      await response.arrayBuffer()
      durations.push(took())
      expect(response.status).toBe(200)
      await setTimeout(5)
    }
    expect(siege.open()).toBe(0)
    siege.end()
    await served.close()

    durations.sort((a, b) => a - b)
    const p99 = durations[Math.floor(durations.length * 0.99)] ?? 0
    if (isFull)
      console.log(`a good client beside ${slowCount} slow ones: ${durations.length} calls, p99 ${p99.toFixed(1)} ms`)
    expect(p99).toBeLessThan(500)
  })

  it('beyond the ceiling of connections, delay no one either', async () => {
    const served = await serve({ ...limits, maxConnections: slowCount / 2 })
    const siege = await besiege(served)
    for (let i = 0; i < 20; i += 1) {
      const response = await fetch(`${served.url}/healthz`, { headers: { connection: 'close' } })
      expect(response.status).toBe(200)
      await response.arrayBuffer()
    }
    siege.end()
    await served.close()
  })
})
