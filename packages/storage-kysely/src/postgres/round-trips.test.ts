import { Client, Pool } from 'pg'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { openPostgres } from '../../../../test/whole/opening.js'
import { newDatabase, patient } from '../../test/databases.js'
import { actor, openShop } from '../../test/shop.js'

/** How often `work` waits for the server: queries that are sent together wait once. */
async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  let [trips, underWay] = [0, 0]
  const query: (...args: unknown[]) => unknown = Client.prototype.query
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(async function (this: Client, ...args: unknown[]) {
    if (underWay === 0) trips += 1
    underWay += 1
    try {
      return await query.apply(this, args)
    } finally {
      underWay -= 1
    }
  })
  await work()
  spy.mockRestore()
  return trips
}

// With frozen timers, no background work is counted and no cache expires.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
})

it('a creation takes one round trip to look up its client, two more to write, and one to commit', async () => {
  const storage = await openPostgres(await newDatabase(), { ...patient, connections: 1 })
  onTestFinished(() => storage.close())
  const { sav } = await openShop(storage)
  const { items } = await sav.directory.clients.list(actor.account_id, {})
  const input = { client_id: items[0]?.id ?? 0, description: 'La façade du four s’écaille.' }
  const create = () => sav.cases.create(actor, input)
  await create()
  expect(await roundTrips(create)).toBe(1 + 2 + 1)
  expect(await roundTrips(() => Promise.all(Array.from({ length: 16 }, create)))).toBe(1 + 2 + 1)
})

it('an open case is read in two round trips, a closed case in at most four', async () => {
  const storage = await openPostgres(await newDatabase(), patient)
  onTestFinished(() => storage.close())
  const shop = await openShop(storage)
  await shop.take({ what: 'create' })
  const { items } = await shop.sav.cases.list(actor.account_id, {})
  const read = () => shop.sav.cases.get(actor.account_id, items[0]?.id ?? 0)
  // Opens the connections.
  await read()
  expect(await roundTrips(read)).toBe(2)
  await shop.take({ what: 'close', which: 0 })
  await read()
  expect(await roundTrips(read)).toBeLessThanOrEqual(4)
})

it.each([
  [true, 1],
  [false, 3],
])('over the caller’s pool with pipeline: %s, a read takes %i round trip(s)', async (pipeline, trips) => {
  const pool = new Pool({ connectionString: await newDatabase(), max: 1, pipeline })
  onTestFinished(() => pool.end())
  const storage = await openPostgres({ pool })
  onTestFinished(() => storage.close())
  expect(await roundTrips(() => storage.reads.accounts.list())).toBe(trips)
})
