import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { replacing } from '../../../planning/test/replacing.js'
import { UnavailableError, ValidationError } from '../errors.js'
import type { Storage } from '../storage.js'
import { fixedClock, seededRandom } from '../testing/index.js'
import { businessCalendar } from '../time/time.js'
import { idMaker } from '../values/ids.js'
import { type AuditCall, type CountedCall, type CountRule, createAudit } from './audit.js'
import { createServing } from './serving.js'

const start = Date.UTC(2026, 0, 15, 10, 30)

const call = (fields: Partial<AuditCall> = {}): AuditCall => ({
  account_id: 'default',
  time: start,
  ip: '203.0.113.9',
  method: 'GET',
  endpoint: '/api/v1/sav',
  key_id: 'key_1',
  user_id: null,
  target: null,
  status: 200,
  duration_ms: 2,
  request_id: 'r1',
  ...fields,
})

/** An audit in memory. `fail` makes its transactions fail with an error, until it is called with null. */
async function open() {
  const memory = await memoryStorage()
  const clock = fixedClock(start)
  let failure: Error | null = null
  const transactions: number[] = []
  const storage: Storage = {
    ...memory,
    async transaction(work) {
      if (failure) throw failure
      return memory.transaction(async (tx) => {
        const add: typeof tx.audit.add = async (calls) => {
          transactions.push(calls.length)
          await tx.audit.add(calls)
        }
        return work({ ...tx, audit: replacing(tx.audit, { add }) })
      })
    },
  }
  const faults: unknown[] = []
  const fault = (error: unknown) => faults.push(error)
  const newId = idMaker(clock, seededRandom(1))
  const audit = createAudit({
    storage,
    clock,
    calendar: businessCalendar('Europe/Paris'),
    newId,
    targetNames: {},
    fault,
  })
  const heartbeat = { beat: async () => {}, end: async () => {} }
  const keyUse = { flush: async () => {} }
  const serving = createServing({ clock, heartbeat, audit, uses: [keyUse], fault })
  const all = async () =>
    (await memory.reads.audit.list('default', { limit: 20_000 })).map(({ request_id }) => request_id)
  const fail = (error: Error | null) => {
    failure = error
  }
  return { audit, serving, clock, storage, transactions, faults, fail, all }
}

const away = new UnavailableError('away', { retryAfterSeconds: 1 })

describe('a recorded call', () => {
  it('exists if and only if its transaction commits', async () => {
    const { audit, storage } = await open()
    await storage.transaction((tx) => audit.record(tx, call({ method: 'POST', status: 201 })))
    const undone = storage.transaction(async (tx) => {
      await audit.record(tx, call({ request_id: 'undone' }))
      throw new Error('changed our mind')
    })
    await expect(undone).rejects.toThrow('changed our mind')
    const { account_id: _, ...shown } = call({ method: 'POST', status: 201 })
    expect((await audit.list('default', {})).items).toEqual([{ ...shown, time: '2026-01-15T10:30:00.000Z' }])
  })

  it('has only its declared fields, whatever the input', async () => {
    const { audit, storage } = await open()
    const given = { ...call(), key: 'sav_live_secret', body: '{"description":"secret"}' }
    await storage.transaction((tx) => audit.record(tx, given))
    audit.note(given)
    await audit.flush()
    expect(JSON.stringify(await storage.reads.audit.list('default', { limit: 9 }))).not.toContain('secret')
  })
})

describe('a noted call', () => {
  it('is written with others within a second, without delaying its caller', async () => {
    const { audit, serving, clock, all, transactions } = await open()
    await serving.start()
    await clock.advance(500)
    for (const request_id of ['r1', 'r2', 'r3']) audit.note(call({ request_id }))
    expect(await all()).toEqual([])
    await clock.advance(500)
    expect((await all()).toSorted()).toEqual(['r1', 'r2', 'r3'])
    expect(transactions).toEqual([3])
    await clock.advance(10_000)
    expect(transactions).toEqual([3])
  })

  it('is written at once when 2000 are waiting', async () => {
    const { audit, clock, all, transactions } = await open()
    for (let n = 0; n < 1999; n += 1) audit.note(call())
    await clock.advance(0)
    expect(await all()).toEqual([])
    audit.note(call())
    await clock.advance(0)
    expect(await all()).toHaveLength(2000)
    expect(transactions).toEqual([2000])
  })

  it('waits while the store is unavailable, and is then written once', async () => {
    const { audit, serving, clock, all, fail, faults, transactions } = await open()
    await serving.start()
    fail(away)
    audit.note(call({ request_id: 'r1' }))
    await clock.advance(3_000)
    audit.note(call({ request_id: 'r2', time: start + 1 }))
    expect(faults).toEqual([away, away, away])
    fail(null)
    await clock.advance(1_000)
    expect(await all()).toEqual(['r2', 'r1'])
    expect(transactions).toEqual([2])
    expect(audit.dropped).toBe(0)
  })

  it('is dropped, and counted as dropped, when 10,000 later ones are waiting', async () => {
    const { audit, all, fail } = await open()
    fail(away)
    for (let n = 0; n < 25_000; n += 1) audit.note(call({ request_id: `r${n}`, time: start + n }))
    await expect(audit.flush()).rejects.toThrow(UnavailableError)
    fail(null)
    await audit.flush()
    const written = await all()
    expect(written).toHaveLength(10_000)
    expect([written[0], written.at(-1)]).toEqual(['r24999', 'r15000'])
    expect(audit.dropped).toBe(15_000)
  })

  it('that can never be stored does not block others', async () => {
    const { audit, all, fail } = await open()
    fail(new Error('violates a constraint'))
    audit.note(call({ request_id: 'bad' }))
    await expect(audit.flush()).rejects.toThrow('violates')
    expect(audit.dropped).toBe(1)
    fail(null)
    audit.note(call({ request_id: 'good' }))
    await audit.flush()
    expect(await all()).toEqual(['good'])
  })

  it('is written only once, even by concurrent flushes', async () => {
    const { audit, all } = await open()
    for (let n = 0; n < 1_200; n += 1) audit.note(call())
    await Promise.all([audit.flush(), audit.flush(), audit.flush()])
    expect(await all()).toHaveLength(1_200)
  })
})

describe('calls without a key', () => {
  const minute = 60_000

  async function counting() {
    const opened = await open()
    const { audit, clock, serving, storage } = opened
    await serving.start()
    const told: CountedCall[] = []
    const count = (
      ip: string,
      { kind = 'unauthorized', isKept = true, ...fields }: Partial<CountRule & AuditCall> = {},
    ) =>
      audit.count(call({ account_id: null, key_id: null, status: 401, time: clock.now(), ip, ...fields }), {
        kind,
        isKept,
        tell: (counted) => told.push(counted),
      })
    const rows = () => storage.reads.audit.list(null, { limit: 20_000 })
    const summed = (calls: readonly { readonly calls: number }[]) => calls.reduce((sum, each) => sum + each.calls, 0)
    return { ...opened, count, told, rows, summed }
  }

  it('make one row and one log line per minute, address and kind, with their number and the last call', async () => {
    const { count, clock, told, rows } = await counting()
    for (let n = 0; n < 30; n += 1) count('203.0.113.9', { request_id: `a${n}` })
    expect(told).toEqual([])
    await clock.advance(1000)
    expect(told).toMatchObject([{ calls: 30, request_id: 'a29', ip: '203.0.113.9' }])
    for (let n = 0; n < 590; n += 1) {
      count('203.0.113.9', { request_id: `b${n}` })
      await clock.advance(100)
    }
    expect(await rows()).toMatchObject([{ calls: 30, request_id: 'a29' }])
    await clock.advance(1000)
    expect(await rows()).toMatchObject([
      { calls: 590, request_id: 'b589' },
      { calls: 30, request_id: 'a29' },
    ])
    expect(told).toHaveLength(2)
  })

  it('are logged within two seconds if the minute before had none, or else at the end of the minute', async () => {
    const { count, clock, told } = await counting()
    for (const [silence, patience] of [
      [0, 1000],
      [minute, 2000],
      [minute - 2000, 2000],
      [10_000, 50_000],
    ] as const) {
      await clock.advance(silence)
      const before = told.length
      count('203.0.113.9')
      await clock.advance(patience - 1001)
      expect(told.length, String(silence)).toBe(before)
      await clock.advance(1001)
      expect(told.length, String(silence)).toBe(before + 1)
    }
  })

  it('are counted separately by kind and by address or IPv6 /64', async () => {
    const { audit, count, told } = await counting()
    for (const ip of ['2001:db8::1', '2001:db8::ffff:2', '2001:db8:0:1::1', '203.0.113.9', '::ffff:203.0.113.9'])
      count(ip)
    count('203.0.113.9', { kind: 'too_many_requests' })
    await audit.finish()
    expect(told.map(({ ip, calls }) => [ip, calls])).toEqual([
      ['2001:db8::ffff:2', 2],
      ['2001:db8:0:1::1', 1],
      ['::ffff:203.0.113.9', 2],
      ['203.0.113.9', 1],
    ])
  })

  it.each([6, 7])(
    'from %i addresses make at most six rows and six log lines, which count every call',
    async (addresses) => {
      const { audit, count, told, rows, summed } = await counting()
      for (let n = 0; n < addresses; n += 1) for (let calls = 0; calls < 10 - n; calls += 1) count(`203.0.113.${n}`)
      await audit.finish()
      for (const found of [told, (await rows()).toSorted((a, b) => b.calls - a.calls)]) {
        expect(found).toHaveLength(6)
        const [most] = found
        expect(most).toMatchObject({ ip: '203.0.113.0', calls: 10 })
        expect(summed(found)).toBe(addresses === 6 ? 45 : 49)
        expect(found.filter(({ ip }) => ip === '*')).toMatchObject(addresses === 6 ? [] : [{ calls: 9 }])
      }
    },
  )

  it('from addresses beyond the first 10,000 are counted together, and none is left out', async () => {
    const { audit, count, told, summed } = await counting()
    for (let n = 0; n < 10_005; n += 1) count(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, { isKept: n > 10_000 })
    for (let again = 0; again < 3; again += 1) count('10.0.0.0')
    await audit.finish()
    expect(told[0]).toMatchObject({ ip: '*', calls: 5 })
    expect(told[1]).toMatchObject({ ip: '10.0.0.0', calls: 4 })
    expect(summed(told)).toBe(10_008)
  })

  it('are logged without a row if their kind is not to be kept', async () => {
    const { audit, count, told, rows } = await counting()
    count('203.0.113.9', { isKept: false })
    count('203.0.113.8')
    await audit.finish()
    expect(told).toHaveLength(2)
    expect(await rows()).toMatchObject([{ ip: '203.0.113.8', calls: 1 }])
    expect((await audit.list(null, {})).items[0]).not.toHaveProperty('calls')
  })

  it('are reported as the first of their kind if none of that kind was counted since the last log line', async () => {
    const { clock, count } = await counting()
    const firsts = () => [count('203.0.113.9'), count('203.0.113.8'), count('203.0.113.8', { kind: 'failed' })]
    expect([...firsts(), ...firsts()]).toEqual([true, false, true, false, false, false])
    await clock.advance(1000)
    expect(firsts()).toEqual([true, false, true])
  })

  it('are counted in one row even if the clock is set back and the store is unavailable meanwhile', async () => {
    const { audit, clock, count, fail, rows } = await counting()
    count('203.0.113.9')
    clock.set(start - 3_600_000)
    count('203.0.113.9')
    fail(away)
    await expect(audit.finish()).rejects.toThrow(UnavailableError)
    fail(null)
    await audit.finish()
    expect(await rows()).toMatchObject([{ calls: 2 }])
  })

  it('are logged when the next call is counted, if no timer runs', async () => {
    const { audit, serving, clock, count, told } = await counting()
    await serving.stop()
    count('203.0.113.9')
    await clock.advance(999)
    count('203.0.113.9')
    expect(told).toEqual([])
    await clock.advance(minute)
    count('203.0.113.9')
    expect(told).toMatchObject([{ calls: 2 }])
    await audit.finish()
    expect(told).toMatchObject([{ calls: 2 }, { calls: 1 }])
  })
})

describe('the list of calls', () => {
  async function withCalls() {
    const opened = await open()
    for (let n = 0; n < 5; n += 1)
      opened.audit.note(call({ request_id: `r${n}`, time: start + Math.floor(n / 2), key_id: `key_${n % 2}` }))
    await opened.audit.flush()
    return opened
  }

  it('can be filtered by key, and by an instant or a local day', async () => {
    const { audit } = await withCalls()
    const ids = async (input: Parameters<typeof audit.list>[1]) =>
      (await audit.list('default', input)).items.map(({ request_id }) => request_id).toSorted()
    expect(await ids({ key_id: 'key_1' })).toEqual(['r1', 'r3'])
    expect(await ids({ since: '2026-01-15T10:30:00.001Z' })).toEqual(['r2', 'r3', 'r4'])
    expect(await ids({ since: '2026-01-15' })).toHaveLength(5)
    expect(await ids({ since: '2026-01-16' })).toEqual([])
    expect(await ids({ until: '2026-01-15T10:30:00.001Z' })).toEqual(['r0', 'r1'])
    expect(await ids({ until: '2026-01-15' })).toHaveLength(5)
    expect(await ids({ until: '2026-01-14' })).toEqual([])
  })

  it.each([
    { limite: 0 },
    { limite: 1001 },
    { since: 'hier' },
    { until: '2026-02-30' },
    { curseur: 'x' },
    { curseur: '' },
    { autre: 1 },
  ])('refuses %j', async (input) => {
    const { audit } = await open()
    await expect(audit.list('default', input)).rejects.toThrow(ValidationError)
  })
})
