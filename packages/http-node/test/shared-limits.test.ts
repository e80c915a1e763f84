import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '@sav/storage-kysely/postgres'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratedDatabase } from '../../../test/postgres.js'
import { migratedFile } from '../../../test/sqlite.js'
import { secureRandom, systemClock } from '../src/runtime.js'
import { type ApiProcess, startApi } from './api-processes.js'
import { as, composeWith } from './composed.js'

const limit = { reads: { quota: 1200, windowSeconds: 60 }, writes: { quota: 300, windowSeconds: 600 } }

const stores = {
  async SQLite() {
    const folder = await mkdtemp(join(tmpdir(), 'sav-limits-'))
    const url = await migratedFile(join(folder, 'sav.db'))
    return { url, storage: await openSqlite(url), remove: () => rm(folder, { recursive: true, force: true }) }
  },
  async PostgreSQL() {
    const database = await migratedDatabase()
    return {
      url: database.url,
      storage: await openPostgres(database.url),
      remove: () => database[Symbol.asyncDispose](),
    }
  },
}

describe.each(Object.entries(stores))('two processes on one %s', (_, open) => {
  let url: string
  let key: string
  const ends: (() => PromiseLike<unknown>)[] = []
  const processes: ApiProcess[] = []

  beforeAll(async () => {
    const { storage, remove, ...opened } = await open()
    url = opened.url
    ends.push(remove)
    const { sav } = composeWith({ storage, clock: systemClock, random: secureRandom })
    await sav.accounts.add(as('default'), 'default')
    key = (await sav.keys.create(as('default'), { nom: 'test', permissions: ['sav:read', 'sav:write'] })).key
    await storage.close()
    for (const started of await Promise.all([startApi(url, limit), startApi(url, limit)])) {
      processes.push(started)
      ends.push(started.close)
    }
    // Who has not heard of the other need not ask.
    await Promise.all(processes.map((each) => each.hears(1)))
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  /** Sends so many calls, 20 at a time, and resolves to how many were within the limit. */
  async function send(nth: 0 | 1, count: number, method: 'GET' | 'POST'): Promise<number> {
    let left = count
    let within = 0
    const one = async () => {
      for (; left > 0; ) {
        left -= 1
        const response = await fetch(`${processes[nth]?.url}/api/v1/sav`, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'x-request-timestamp': String(Math.floor(Date.now() / 1000)),
          },
          // Of writes each is refused for what it says, and counts.
          ...(method === 'POST' && { body: '{}' }),
        })
        await response.arrayBuffer()
        expect([method === 'POST' ? 422 : 200, 429]).toContain(response.status)
        if (response.status !== 429) within += 1
      }
    }
    await Promise.all(Array.from({ length: 20 }, one))
    return within
  }

  it('refuse none of 60 reads at one and then 150 at the other, of 1,200', async () => {
    expect(await send(0, 60, 'GET')).toBe(60)
    expect(await send(1, 150, 'GET')).toBe(150)
  })

  it('hold one limit within a tenth when bursts come to both at once', async () => {
    const { quota, windowSeconds } = limit.writes
    const started = performance.now()
    const [first, second] = await Promise.all([send(0, 400, 'POST'), send(1, 400, 'POST')])
    const seconds = (performance.now() - started) / 1000
    expect(first + second).toBeGreaterThanOrEqual(quota)
    expect(first + second).toBeLessThanOrEqual(1.1 * quota + (quota / windowSeconds) * seconds)
  })
})
