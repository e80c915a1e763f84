import { eventKinds } from '@sav/webhook-verify/events'
import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { addOwner, instant } from '../../../storage-contract/src/samples/samples.js'
import type { Storage } from '../storage.js'
import { fixedClock, seededRandom } from '../testing/index.js'
import { firstIdAt, idMaker } from '../values/ids.js'
import { createLive, type LiveCaller, type LiveNews } from './live.js'

const caller = (fields: Partial<LiveCaller> = {}): LiveCaller => ({
  account_id: 'ours',
  id: 'key_1',
  alone: false,
  ...fields,
})

async function opened(over?: Storage) {
  const storage = over ?? (await memoryStorage())
  const clock = fixedClock()
  const faults: unknown[] = []
  const live = createLive({
    storage,
    clock,
    isTold: ({ event }) => eventKinds.some((kind) => kind === event),
    fault: (error) => faults.push(error),
  })
  const newId = idMaker(clock, seededRandom(1))
  for (const account_id of ['ours', 'theirs']) await addOwner(storage, account_id)

  /** Commits an event that was written `earlierMs` ago. */
  async function emit({ event = 'sav.created', account_id = 'ours', earlierMs = 0, due = false } = {}) {
    const id = firstIdAt('evt', clock.now() - earlierMs).slice(0, -16) + newId('evt').slice(-16)
    const deliveries = due ? [{ id: newId('dlv'), channel: 'webhook', target: 'wh_1' }] : []
    await storage.transaction((tx) =>
      tx.outbox.add({ id, account_id, event, body: `{"id":"${id}"}`, created_at: instant(), deliveries }),
    )
    return id
  }
  async function hear(from: LiveCaller = caller(), after?: string) {
    const begin = await live.listen(from, after)
    if (begin === null) return null
    const news: LiveNews[] = []
    const ends: string[] = []
    const leave = begin({ tell: (told) => news.push(told), ended: (why) => ends.push(why) })
    const ids = () => news.flatMap(({ events }) => events.map(({ id }) => id))
    return { news, ends, leave, ids, missed: () => news.filter(({ missed }) => missed).length }
  }
  const heard = async (...given: Parameters<typeof hear>) => {
    const hearing = await hear(...given)
    if (hearing === null) throw new Error('refused')
    return hearing
  }
  return { storage, clock, live, faults, emit, hear, heard }
}

describe('a listener', () => {
  it('gets each event once, within a second of its commit, and none from before it listened', async () => {
    const { clock, emit, heard } = await opened()
    await emit()
    const one = await heard()
    const first = await emit()
    await clock.advance(1000)
    expect(one.ids()).toEqual([first])
    const second = await emit({ event: 'rdv.created' })
    await clock.advance(60_000)
    expect(one.ids()).toEqual([first, second])
    expect(one.news.at(-1)).toMatchObject({ events: [], missed: false })
  })

  it('gets events at once, or within 100 ms, if their commits leave deliveries due', async () => {
    const { clock, emit, heard } = await opened()
    const one = await heard()
    await clock.advance(500)
    const ids = [await emit({ due: true })]
    await clock.advance(0)
    expect(one.ids()).toEqual(ids)
    for (const _ of [1, 2, 3]) ids.push(await emit({ due: true }))
    await clock.advance(99)
    expect(one.ids()).toHaveLength(1)
    await clock.advance(1)
    expect(one.ids().toSorted()).toEqual(ids.toSorted())
  })

  it('gets events that commit up to 10 s late, after newer ones', async () => {
    const { clock, emit, heard } = await opened()
    const one = await heard()
    await clock.advance(30_000)
    const newer = await emit()
    await clock.advance(1000)
    const late = await emit({ earlierMs: 8900 })
    await clock.advance(1000)
    await emit({ earlierMs: 12_000 })
    await clock.advance(1000)
    expect(one.ids()).toEqual([newer, late])
  })

  it('gets no events of another account, and no letters', async () => {
    const { clock, emit, heard } = await opened()
    const one = await heard()
    await emit({ account_id: 'theirs' })
    await emit({ event: 'sav.report' })
    await clock.advance(2000)
    expect(one.ids()).toEqual([])
  })

  it('causes no more reads once all listeners have left', async () => {
    const storage = await memoryStorage()
    let looks = 0
    const events: Storage['reads']['events'] = {
      since(...given) {
        looks += 1
        return storage.reads.events.since(...given)
      },
    }
    const { clock, emit, heard } = await opened({ ...storage, reads: { ...storage.reads, events } })
    await emit({ due: true })
    await clock.advance(10_000)
    expect(looks).toBe(0)
    const [one, two] = [await heard(), await heard()]
    await clock.advance(1000)
    expect(looks).toBe(3)
    one.leave()
    two.leave()
    await emit({ due: true })
    await clock.advance(10_000)
    expect(looks).toBe(3)
    expect(one.ids()).toEqual([])
  })

  it('misses nothing while the store is unavailable', async () => {
    const storage = await memoryStorage()
    let isAway = false
    const events: Storage['reads']['events'] = {
      since: async (...given) => {
        if (isAway) throw new Error('away')
        return storage.reads.events.since(...given)
      },
    }
    const { clock, emit, heard, faults } = await opened({ ...storage, reads: { ...storage.reads, events } })
    const one = await heard()
    isAway = true
    const id = await emit()
    await clock.advance(60_000)
    expect(faults.length).toBeGreaterThan(0)
    isAway = false
    await clock.advance(1000)
    expect(one.ids()).toEqual([id])
  })

  it('gets a notice when there were too many events', async () => {
    const { clock, emit, heard } = await opened()
    const one = await heard()
    for (let i = 0; i < 1000; i += 1) await emit()
    await clock.advance(1000)
    expect(one.missed()).toBe(1)
  })
})

describe('continuing from a known position', () => {
  it('gives the later events, whether after the id of an event or after a position', async () => {
    const { clock, emit, heard } = await opened()
    const one = await heard()
    const known = await emit()
    await clock.advance(1000)
    one.leave()
    const { position } = one.news.at(-1) ?? {}
    const missed = await emit()
    await clock.advance(20_000)
    for (const after of [known, position]) {
      const again = await heard(caller(), after)
      expect(again.ids()).toContain(missed)
      expect(again.missed()).toBe(0)
      await clock.advance(5000)
      expect(again.ids().filter((id) => id === missed)).toHaveLength(1)
    }
  })

  it('reports that events may be missing if the position is older than 30 s, or unknown', async () => {
    const { clock, emit, heard } = await opened()
    const known = await emit()
    await clock.advance(30_001)
    for (const after of [known, 'evt_1', 'nonsense', '']) {
      const again = await heard(caller(), after)
      expect(again.ids(), after).toEqual([])
      expect(again.missed(), after).toBe(1)
    }
  })

  it('loses no event that commits after `listen`, before the listener has begun', async () => {
    const { clock, emit, live } = await opened()
    const begin = await live.listen(caller())
    const id = await emit()
    const ids: string[] = []
    begin?.({ tell: ({ events }) => ids.push(...events.map((event) => event.id)), ended: () => {} })
    await clock.advance(1000)
    expect(ids).toEqual([id])
  })
})

describe('bounds', () => {
  it('one caller may listen 100 times, one account 250 times', async () => {
    const { hear } = await opened()
    const begun = []
    for (let i = 0; i < 100; i += 1) begun.push(await hear())
    expect(begun.every((one) => one !== null)).toBe(true)
    expect(await hear()).toBeNull()
    for (let i = 0; i < 150; i += 1) expect(await hear(caller({ id: `key_${i + 2}` }))).not.toBeNull()
    expect(await hear(caller({ id: 'key_2' }))).toBeNull()
    expect(await hear(caller({ account_id: 'theirs' }))).not.toBeNull()
    begun[0]?.leave()
    expect(await hear()).not.toBeNull()
  })

  it('also hold for concurrent callers', async () => {
    const { live } = await opened()
    const asked = await Promise.all(Array.from({ length: 101 }, () => live.listen(caller())))
    const ends: string[] = []
    for (const begin of asked) begin?.({ tell: () => {}, ended: (why) => ends.push(why) })
    expect(ends).toEqual(['too_many'])
  })

  it('a new listener of a session replaces its previous listener', async () => {
    const { clock, emit, heard } = await opened()
    const session = caller({ id: 'ses_1', alone: true })
    const [old, other] = [await heard(session), await heard(caller({ id: 'ses_2', alone: true }))]
    const newer = await heard(session)
    expect([old.ends, other.ends, newer.ends]).toEqual([['replaced'], [], []])
    const id = await emit()
    await clock.advance(1000)
    expect([old.ids(), other.ids(), newer.ids()]).toEqual([[], [id], [id]])
  })

  it('a closing service ends all listeners, and accepts no new ones', async () => {
    const { live, heard } = await opened()
    const begin = await live.listen(caller())
    const [one, two] = [await heard(), await heard(caller({ account_id: 'theirs' }))]
    live.close()
    expect([one.ends, two.ends]).toEqual([['closing'], ['closing']])
    await expect(live.listen(caller())).rejects.toThrow('closing')
    const ends: string[] = []
    begin?.({ tell: () => {}, ended: (why) => ends.push(why) })
    expect(ends).toEqual(['closing'])
  })
})
