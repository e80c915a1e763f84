import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '@sav/storage-kysely/postgres'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { migratedDatabase } from '../../../test/postgres.js'
import { migratedFile } from '../../../test/sqlite.js'
import { secureRandom, systemClock } from '../src/runtime.js'
import { type ApiProcess, startApi } from './api-processes.js'
import { as, composeWith } from './composed.js'

const limitOf = (writes: number) => ({
  reads: { quota: 6000, windowSeconds: 60 },
  writes: { quota: writes, windowSeconds: 60 },
})

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
  let ends: (() => PromiseLike<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.toReversed()) await end()
    ends = []
  })

  async function start(writes: number) {
    const { url, storage, remove } = await open()
    ends.push(remove)
    const { sav } = composeWith({ storage, clock: systemClock, random: secureRandom })
    await sav.accounts.add(as('default'), 'default')
    const { key } = await sav.keys.create(as('default'), { nom: 'test', permissions: ['sav:write'] })
    await storage.close()
    const processes = await Promise.all([startApi(url, limitOf(writes)), startApi(url, limitOf(writes))])
    ends.push(...processes.map(({ close }) => close))
    // Each says once a second that it is there; who has not heard of the other need not ask.
    await new Promise((resolve) => setTimeout(resolve, 2200))

    /** Sends writes, 20 at a time, and resolves to how many were within the limit: the body of each is refused. */
    const send = async (to: ApiProcess, count: number): Promise<number> => {
      let left = count
      let within = 0
      const one = async () => {
        for (; left > 0; ) {
          left -= 1
          const response = await fetch(`${to.url}/api/v1/sav`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${key}`,
              'content-type': 'application/json',
              'x-request-timestamp': String(Math.floor(Date.now() / 1000)),
            },
            body: '{}',
          })
          await response.arrayBuffer()
          expect([422, 429]).toContain(response.status)
          if (response.status === 422) within += 1
        }
      }
      await Promise.all(Array.from({ length: 20 }, one))
      return within
    }
    return { processes, send }
  }

  it('refuse none of 60 writes at one and then 150 at the other, of 1,200', { timeout: 60_000 }, async () => {
    const { processes, send } = await start(1200)
    expect(await send(processes[0], 60)).toBe(60)
    expect(await send(processes[1], 150)).toBe(150)
  })

  it('hold one limit within a tenth when bursts come to both at once', { timeout: 60_000 }, async () => {
    const writes = 300
    const { processes, send } = await start(writes)
    const started = Date.now()
    const [first, second] = await Promise.all([send(processes[0], 400), send(processes[1], 400)])
    const seconds = (Date.now() - started) / 1000
    expect(first + second).toBeGreaterThanOrEqual(writes)
    expect(first + second).toBeLessThanOrEqual(1.1 * writes + (writes / 60) * seconds)
  })
})
