import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openPostgres } from '../../../../test/whole/opening.js'
import { newDatabase, patient } from '../../test/databases.js'
import { insertWaiting } from '../../test/waiting.js'
import { refuseInUse } from '../copy.js'
import type { PostgresStorage } from '../postgres.js'

const leaseMs = 15_000
const realNow = Date.now.bind(Date)

async function withClock<T>(offMs: number, call: () => Promise<T>): Promise<T> {
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + offMs)
  return call().finally(() => clock.mockRestore())
}

/**
 * A process whose clock is wrong by `offMs`, while its monotonic clock is right. @param openedOffMs how wrong its clock
 * was when it opened the store
 */
async function processOf(url: string, offMs: number, openedOffMs = offMs) {
  const withItsClock = <T>(call: () => Promise<T>) => withClock(offMs, call)
  const storage = await withClock(openedOffMs, () => openPostgres(url, { ...patient, connections: 1 }))
  onTestFinished(() => storage.close())
  const instant = (inMs = 0) => new Date(realNow() + offMs + inMs).toISOString()
  const request = { lane: 'first', target: 'wh_1', channel: 'webhook', limit: 10 } as const
  return {
    storage,
    withItsClock,
    instant,
    due: (inMs = 0) => withItsClock(() => storage.queue.due(instant(inMs))),
    claim: (inMs = 0) =>
      withItsClock(() =>
        storage.queue.claim([request], { now: instant(inMs), leasedUntil: instant(inMs + leaseMs), token: 'token' }),
      ),
  }
}

/** A store in which one delivery has been due for an hour. */
async function filled(): Promise<string> {
  const url = await newDatabase()
  const { db, close }: PostgresStorage = await openPostgres(url, patient)
  const at = sql<string>`${new Date(realNow() - 3_600_000).toISOString()}`
  await sql`insert into accounts (id, created_at) values ('ours', ${at})`.execute(db)
  await sql`insert into events (account_id, id, event, body, created_at) values ('ours', 'evt', 'sav.created', '{}', ${at})`.execute(
    db,
  )
  const delivery = { id: sql<string>`'dlv'`, event_id: sql<string>`'evt'`, target: sql<string>`'wh_1'` }
  await insertWaiting(db, { ...delivery, at, count: 1 })
  await close()
  return url
}

describe.each([
  ['ten minutes ahead', 600_000, 600_000],
  ['ten minutes behind', -600_000, -600_000],
  ['set ten minutes ahead while it runs', 600_000, 0],
])('a process whose clock is %s', (_, offMs, openedOffMs) => {
  it('does not touch deliveries that another process is attempting', async () => {
    const url = await filled()
    const [other, own] = [await processOf(url, 0), await processOf(url, offMs, openedOffMs)]
    expect(await other.claim()).toHaveLength(1)
    const { storage, withItsClock, instant } = own
    expect([await own.due(), await own.claim()]).toEqual([[], []])
    const reopen = () => storage.transaction((tx) => tx.deliveries.reopen('ours', 'dlv', instant()))
    expect(await withItsClock(reopen)).toBe(false)
    const expire = () => storage.queue.expire({ now: instant(), disabledBefore: instant(-1), limit: 9 })
    expect(await withItsClock(expire)).toBe(0)
    const waiting = () => storage.reads.deliveries.waiting('ours', instant())
    expect(await withItsClock(waiting)).toMatchObject({ total: 1, due: 0, in_flight: 1 })
    const copied = () => refuseInUse({ kind: 'postgres', storage, name: 'store' })
    await expect(withItsClock(copied)).rejects.toThrow('cannot be copied as i')
  })

  it('holds its deliveries for exactly the length of the lease', async () => {
    const url = await filled()
    const [other, own] = [await processOf(url, 0), await processOf(url, offMs, openedOffMs)]
    const [claimed] = await own.claim()
    // The end of the lease is a time of this process's own clock, by which the process decides whether there is time
    // for an attempt.
    expect(claimed && Date.parse(claimed.leased_until) - realNow() - offMs).toBeGreaterThan(leaseMs - 5000)
    expect([await other.due(leaseMs - 1000), await other.claim(leaseMs - 1000)]).toEqual([[], []])
    expect(await other.claim(leaseMs + 1000)).toHaveLength(1)
  })

  it('reports the difference between its clock and the database’s', async () => {
    const { storage, withItsClock } = await processOf(await newDatabase(), offMs, openedOffMs)
    const found = await withItsClock(async () => storage.clockDifferenceMs?.())
    expect(Math.abs((found ?? 0) + offMs)).toBeLessThan(1000)
  })
})
