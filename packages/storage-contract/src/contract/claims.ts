import {
  addDeliveries,
  claim,
  claimOne,
  delivered,
  dueAt,
  failed,
  ids,
  leaseMs,
  oldestDue,
  outcome,
  prepare,
  update,
  webhook,
} from '../samples/queue-samples.js'
import { addEndpoint, enqueue, instant, present } from '../samples/samples.js'
import type { Suite } from './suite.js'

export function claimContract({ describe, it, expect }: Suite): void {
  describe('claims', () => {
    it('a claim returns everything that an attempt needs', async (storage) => {
      await prepare(storage)
      const body = '{"event":"sav.closed","data":{"texte":"Façade « rayée » 🪛"}}'
      await addDeliveries(storage, { a: 7 }, { event: 'sav.closed', body })
      expect(await claim(storage, { at: 9, token: 'mine' })).toEqual([
        {
          id: 'dlv_a',
          account_id: 'ours',
          created_at: instant(7),
          channel: 'webhook',
          target: 'wh_1',
          lane: 'first',
          event_id: 'evt_a',
          event: 'sav.closed',
          body,
          attempt_count: 0,
          run_attempt_count: 0,
          run_started_at: instant(7),
          next_attempt_at: instant(7),
          lease_token: 'mine',
          leased_until: instant(9 + leaseMs),
          intended_at: null,
          traceparent: null,
        },
      ])
    })

    it('a claim returns the trace context of the event, also after a failed attempt', async (storage) => {
      await prepare(storage)
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      await storage.transaction(async (tx) => {
        await enqueue(tx, { account_id: 'ours', name: 'a', target: 'wh_1', created_at: instant(1), traceparent })
        await enqueue(tx, { account_id: 'ours', name: 'b', target: 'wh_1', created_at: instant(2) })
      })
      const claimed = await claim(storage, { at: 9 })
      expect(claimed.map(({ id, traceparent }) => [id, traceparent])).toEqual([
        ['dlv_a', traceparent],
        ['dlv_b', null],
      ])
      await storage.queue.record(claimed.map((delivery) => outcome(delivery)))
      const again = await claim(storage, { at: 60_000, lane: 'retry' })
      expect(again.map((delivery) => delivery.traceparent).toSorted()).toEqual([traceparent, null].toSorted())
    })

    it('a claim takes up to the limit, oldest due first', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 3, b: 1, c: 4, d: 2, e: 5 })
      expect(ids(await claim(storage, { at: 10, limit: 1 }))).toEqual(['dlv_b'])
      expect(ids(await claim(storage, { at: 10, limit: 3 }))).toEqual(['dlv_d', 'dlv_a', 'dlv_c'])
      expect(ids(await claim(storage, { at: 10, limit: 3 }))).toEqual(['dlv_e'])
      expect(await claim(storage, { at: 10, limit: 3 })).toEqual([])
    })

    it('a claim takes up to its limit from each requested target and lane, and from no other', async (storage) => {
      await prepare(storage)
      await addEndpoint(storage, 'ours', 'wh_3')
      await addDeliveries(storage, { r1: 0, r2: 0, r3: 0 })
      await storage.queue.record((await claim(storage)).map((delivery) => outcome(delivery)))
      await addDeliveries(storage, { a: 1, b: 2, c: 3 })
      await addDeliveries(storage, { d: 1, e: 2 }, { target: 'wh_2' })
      await addDeliveries(storage, { f: 1 }, { target: 'wh_3' })
      const claimed = await storage.queue.claim(
        [
          { ...webhook('wh_1', 'first'), limit: 2 },
          { ...webhook('wh_1', 'retry'), limit: 1 },
          { ...webhook('wh_2', 'first'), limit: 9 },
          { ...webhook('wh_2', 'retry'), limit: 9 },
        ],
        { now: instant(40_000), leasedUntil: instant(60_000), token: 'token' },
      )
      expect(
        ids(claimed)
          .filter((id) => !id.includes('r'))
          .toSorted(),
      ).toEqual(['dlv_a', 'dlv_b', 'dlv_d', 'dlv_e'])
      expect(ids(claimed).filter((id) => id.includes('r'))).toHaveLength(1)
      expect(await dueAt(storage, 40_000)).toEqual([
        webhook('wh_1', 'first'),
        webhook('wh_1', 'retry'),
        webhook('wh_3', 'first'),
      ])
    })

    it('older retries do not hide first attempts, and first attempts do not hide retries', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { r1: 0, r2: 0, r3: 0 })
      await storage.queue.record((await claim(storage)).map((delivery) => outcome(delivery)))
      await addDeliveries(storage, { a: 35_000, b: 36_000 })
      expect(ids(await claim(storage, { at: 40_000, lane: 'first', limit: 1 }))).toEqual(['dlv_a'])
      expect(await claim(storage, { at: 40_000, lane: 'retry', limit: 9 })).toHaveLength(3)
    })

    it('a claimed delivery is neither due nor claimed again until its lease ends', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      expect(await claim(storage, { token: 'first' })).toHaveLength(1)
      for (const at of [0, leaseMs - 1]) {
        expect(await dueAt(storage, at)).toEqual([])
        expect(await oldestDue(storage, at)).toBeNull()
        expect(await claim(storage, { at, token: 'second' })).toEqual([])
      }
      expect(await dueAt(storage, leaseMs + 1)).toEqual([webhook('wh_1', 'first')])
      expect(await claim(storage, { at: leaseMs + 1, token: 'second' })).toMatchObject([
        { id: 'dlv_a', lease_token: 'second', leased_until: instant(2 * leaseMs + 1), attempt_count: 0 },
      ])
      expect(await claim(storage, { at: leaseMs + 2, token: 'third' })).toEqual([])
    })

    it('10 concurrent claims share all deliveries, and none is claimed twice', async (storage) => {
      await prepare(storage)
      const names = Array.from({ length: 60 }, (_, index) => String(index).padStart(2, '0'))
      await addDeliveries(storage, Object.fromEntries(names.map((name, index) => [name, index])))
      const claims = await Promise.all(
        Array.from({ length: 10 }, (_, index) => claim(storage, { at: 100, limit: 9, token: `token ${index}` })),
      )
      const claimed = claims.flat()
      expect(ids(claimed).toSorted()).toEqual(names.map((name) => `dlv_${name}`))
      expect(claims.every((mine, index) => mine.every(({ lease_token }) => lease_token === `token ${index}`))).toBe(
        true,
      )
    })

    it('a claim does not change the delivery’s history, and a released delivery is due at once', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const before = await storage.reads.deliveries.find('ours', 'dlv_a')
      const first = await claimOne(storage, { token: 'first' })
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toEqual(before)
      await storage.queue.release([first])
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toEqual(before)
      expect(await dueAt(storage, 0)).toEqual([webhook('wh_1', 'first')])
      const second = await claimOne(storage, { token: 'second' })
      expect(second).toEqual({ ...first, lease_token: 'second' })
      expect(await storage.queue.record([outcome(first)])).toEqual(new Set())
      expect(await storage.queue.record([outcome(second)])).toEqual(new Set(['dlv_a']))
    })

    it('of two results of one delivery recorded together, only that of the lease’s holder counts', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0, b: 0 })
      const [staleA, staleB] = await claim(storage, { token: 'first' })
      const [heldA, heldB] = await claim(storage, { at: leaseMs + 1, token: 'second' })
      const outcomes = [
        outcome(present(staleA), failed),
        outcome(present(heldA), delivered),
        outcome(present(heldB)),
        outcome(present(staleB), failed),
      ]
      expect(await storage.queue.record(outcomes)).toEqual(new Set(['dlv_a', 'dlv_b']))
      const found = ['dlv_a', 'dlv_b'].map((id) => storage.reads.deliveries.find('ours', id))
      expect((await Promise.all(found)).map((row) => row?.state)).toEqual(['delivered', 'pending'])
      for (const id of ['dlv_a', 'dlv_b']) expect(await storage.reads.deliveries.attempts('ours', id)).toHaveLength(1)
      expect(await storage.reads.deliveries.list('ours', { state: 'failed', limit: 9 })).toEqual([])
    })

    it('the intention to attempt is kept until an outcome is recorded, also after a crash', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const first = await claimOne(storage, { token: 'first' })
      expect(await storage.queue.intend({ ...first, lease_token: 'guessed' }, instant(1))).toBe(false)
      expect(await storage.queue.intend({ ...first, account_id: 'theirs' }, instant(1))).toBe(false)
      expect(await storage.queue.intend(first, instant(1))).toBe(true)

      const second = await claimOne(storage, { at: leaseMs + 1, token: 'second' })
      expect(second.intended_at).toBe(instant(1))
      expect(await storage.queue.intend(first, instant(2))).toBe(false)
      expect(await storage.queue.intend(first, null)).toBe(false)
      await storage.queue.release([second])
      const again = await claimOne(storage, { at: leaseMs + 2, token: 'again' })
      expect(again.intended_at).toBe(instant(1))
      // The holder of the current lease may withdraw the intention if nothing was sent.
      expect(await storage.queue.intend(again, null)).toBe(true)
      await storage.queue.release([again])
      const free = await claimOne(storage, { at: leaseMs + 2, token: 'free' })
      expect(free.intended_at).toBeNull()
      expect(await storage.queue.intend(free, instant(3))).toBe(true)
      const failedOnce = update({ next_attempt_at: instant(leaseMs + 2) })
      await storage.queue.record([outcome(free, failedOnce)])
      const third = await claimOne(storage, { at: leaseMs + 3, token: 'third', lane: 'retry' })
      expect(third.intended_at).toBeNull()
    })

    it('a release counts only from the holder of the lease', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const first = await claimOne(storage, { token: 'first' })
      await storage.queue.release([{ ...first, account_id: 'theirs' }])
      await storage.queue.release([{ ...first, lease_token: 'guessed' }])
      expect(await dueAt(storage, 0)).toEqual([])

      const at = leaseMs + 1
      expect(await claim(storage, { at, token: 'second' })).toHaveLength(1)
      await storage.queue.release([first])
      expect(await dueAt(storage, at)).toEqual([])
    })
  })
}
