import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { malformed } from './malformed.js'
import { RawClient, statusesIn } from './raw-socket.js'
import { type ServedProcess, serve } from './served-process.js'

const isFull = process.env['SAV_TEST_CHAOS'] === '1'
const count = isFull ? 10_000 : 200
const only = process.env['SAV_TEST_SEED']
const seeds = only === undefined ? Array.from({ length: count }, (_, i) => i) : [Number(only)]
const warmUp = isFull ? Array.from({ length: 10_000 }, (_, i) => 1_000_000 + i) : []
const atOnce = 16

/** Tables that every call writes. */
const aboutCalls = /^(audit|api_keys)/

describe('malformed requests', () => {
  let served: ServedProcess

  beforeAll(async () => {
    served = await serve({ maxDrainMs: 100 })
  })
  afterAll(() => served.close())

  /** Every row of every table that is about the business. */
  function rows(): Record<string, unknown[]> {
    const db = new DatabaseSync(served.file, { readOnly: true })
    const tables = db.prepare("select name from sqlite_master where type = 'table'").all()
    const found = tables
      .map(({ name }) => String(name))
      .filter((table) => !aboutCalls.test(table))
      .map((table) => [table, db.prepare(`select * from "${table}"`).all()])
    db.close()
    return Object.fromEntries(found)
  }

  /** Sends the bytes on one connection, closes the sending side, and resolves to the statuses of the answers. */
  async function answersTo(bytes: string | Buffer): Promise<number[]> {
    const client = new RawClient(served.url)
    client.socket.end(bytes)
    const answer = await client.rest()
    client.socket.destroy()
    return statusesIn(answer)
  }

  async function sendAll(chosen: readonly number[]): Promise<void> {
    const left = [...chosen]
    const lane = async () => {
      for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
        const { kind, bytes } = malformed(seed, served.insider)
        const statuses = await answersTo(bytes)
        expect(
          statuses.filter((status) => status >= 500 || status === 201),
          `SAV_TEST_SEED=${seed}: ${kind}`,
        ).toEqual([])
      }
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
  }

  it(`${seeds.length} of them cause no error and change nothing`, { timeout: 600_000 }, async () => {
    const before = rows()
    // A heap that has grown to its working size is no leak; more requests must not make it grow further.
    await sendAll(warmUp)
    const warm = await served.state()
    await sendAll(seeds)
    const after = await served.state()
    expect(rows()).toEqual(before)
    expect(after.errors).toEqual([])
    expect(await answersTo('GET /readyz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')).toEqual([200])
    if (isFull) {
      const MB = ({ residentBytes }: { residentBytes: number }) => Math.round(residentBytes / 1e6)
      console.log(`resident after ${warmUp.length} others: ${MB(warm)} MB, after ${seeds.length}: ${MB(after)} MB`)
      expect(after.residentBytes).toBeLessThan(warm.residentBytes * 1.2)
    }
  })

  it('would change something if they were well-formed', async () => {
    const before = rows()
    const { headers, body } = served.insider
    const response = await fetch(`${served.url}/api/v1/sav`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status).toBe(201)
    expect(rows()).not.toEqual(before)
  })
})
