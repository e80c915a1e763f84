import type { Storage } from '@sav/core/ports'
import {
  addDeliveries,
  attempt,
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
import { addOwner, ended, endpoint, instant, present } from '../samples/samples.js'
import type { Suite } from './suite.js'

export function recordContract({ describe, it, expect }: Suite): void {
  describe('results', () => {
    it('a success ends the delivery, which is never due again', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const claimed = await claimOne(storage)
      expect(await storage.queue.record([outcome(claimed, delivered)])).toEqual(new Set(['dlv_a']))
      const { run_attempt_count: _, ...shown } = delivered
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toMatchObject(shown)
      for (const at of [0, leaseMs + 1, 86_400_000]) {
        expect(await dueAt(storage, at)).toEqual([])
        expect(await claim(storage, { at })).toEqual([])
        expect(await claim(storage, { at, lane: 'retry' })).toEqual([])
        expect(await oldestDue(storage, at)).toBeNull()
      }
    })

    it('a last failure ends the delivery as well', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      await storage.queue.record([outcome(await claimOne(storage), failed)])
      const { run_attempt_count: _, ...shown } = failed
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toMatchObject(shown)
      expect(await dueAt(storage, 86_400_000)).toEqual([])
    })

    it('a failure schedules a retry in the lane of retries', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      await storage.queue.record([outcome(await claimOne(storage))])
      const { run_attempt_count: _, ...shown } = update()
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toMatchObject(shown)
      expect(await dueAt(storage, 29_999)).toEqual([])
      expect(await claim(storage, { at: 29_999, lane: 'retry' })).toEqual([])
      expect(await dueAt(storage, 30_000)).toEqual([webhook('wh_1', 'retry')])
      expect(await claim(storage, { at: 30_000, lane: 'first' })).toEqual([])
      expect(await claim(storage, { at: 30_000, lane: 'retry' })).toMatchObject([
        {
          id: 'dlv_a',
          attempt_count: 1,
          run_attempt_count: 1,
          run_started_at: instant(),
          next_attempt_at: instant(30_000),
        },
      ])
    })

    it('a recorded result ends the lease, so that a retry may be due before its expiry', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      await storage.queue.record([outcome(await claimOne(storage), update({ next_attempt_at: instant(100) }))])
      expect(await dueAt(storage, 99)).toEqual([])
      expect(ids(await claim(storage, { at: 100, lane: 'retry' }))).toEqual(['dlv_a'])
    })

    it('a batch of any size is recorded, except deliveries taken over by others', async (storage) => {
      await prepare(storage)
      for (const size of [1, 31, 32, 33, 65]) {
        const names = Array.from({ length: size }, (_, index) => `${size}_${String(index).padStart(2, '0')}`)
        await addDeliveries(storage, Object.fromEntries(names.map((name) => [name, 0])))
        const claimed = (await claim(storage)).map((taken, index) =>
          index % 5 === 4 ? { ...taken, lease_token: 'of somebody else' } : taken,
        )
        expect(claimed).toHaveLength(size)
        const recorded = await storage.queue.record(claimed.map((taken) => outcome(taken, delivered)))
        expect([...recorded].toSorted()).toEqual(ids(claimed.filter((_, index) => index % 5 !== 4)).toSorted())
        for (const { id } of claimed) {
          const state = recorded.has(id) ? 'delivered' : 'pending'
          expect(await storage.reads.deliveries.find('ours', id)).toMatchObject({ id, state })
          expect(await storage.reads.deliveries.attempts('ours', id)).toHaveLength(recorded.has(id) ? 1 : 0)
        }
        const late = claimed.filter(({ id }) => !recorded.has(id)).map((taken) => ({ ...taken, lease_token: 'token' }))
        await storage.queue.record(late.map((taken) => outcome(taken, delivered)))
      }
    })

    it('attempts read back oldest first, as they were recorded', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0, b: 0 })
      const attempts = Array.from({ length: 11 }, (_, index) =>
        attempt({ n: index + 1, started_at: instant(index * 10), duration_ms: index }),
      )
      attempts[3] = attempt({
        n: 4,
        started_at: instant(30),
        status: null,
        error: 'Le récepteur n’a pas répondu en 5 s',
      })
      attempts[10] = attempt({
        n: 11,
        started_at: instant(100),
        status: 204,
        error: null,
        response_headers: { 'content-type': 'text/plain; charset=utf-8', 'x-note': '"« ok »"' },
        response: 'reçu\n\t« 🪛 »',
      })
      for (const [index, recorded] of attempts.entries()) {
        const lane = index === 0 ? 'first' : 'retry'
        const claimed = present((await claim(storage, { at: index * 10, lane })).find(({ id }) => id === 'dlv_a'))
        const count = index + 1
        const next_attempt_at = instant(count * 10)
        const result = update({ attempt_count: count, run_attempt_count: count, next_attempt_at })
        await storage.queue.record([{ delivery: claimed, attempt: recorded, update: result }])
      }
      expect(await storage.reads.deliveries.attempts('ours', 'dlv_a')).toEqual(attempts)
      expect(await storage.reads.deliveries.attempts('ours', 'dlv_b')).toEqual([])
      expect(await storage.reads.deliveries.attempts('ours', 'dlv_c')).toEqual([])
      expect(await storage.reads.deliveries.attempts('theirs', 'dlv_a')).toEqual([])
    })

    it('a result is dropped after another process took the delivery over', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const first = await claimOne(storage, { token: 'first' })
      const second = await claimOne(storage, { at: leaseMs + 1, token: 'second' })
      // The first process's result is dropped, whether it is final or plans a retry.
      expect(await storage.queue.record([outcome(first, delivered)])).toEqual(new Set())
      expect(await storage.queue.record([outcome(first)])).toEqual(new Set())
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toMatchObject({ state: 'pending', attempt_count: 0 })
      expect(await storage.reads.deliveries.attempts('ours', 'dlv_a')).toEqual([])

      expect(await storage.queue.record([outcome(second)])).toEqual(new Set(['dlv_a']))
      expect(await storage.queue.record([outcome(first, delivered)])).toEqual(new Set())
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toMatchObject({ state: 'pending', attempt_count: 1 })
      expect(await storage.reads.deliveries.attempts('ours', 'dlv_a')).toHaveLength(1)
    })

    it('a late result still counts if the delivery was not taken over', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const claimed = await claimOne(storage)
      expect(await dueAt(storage, leaseMs + 1)).toEqual([webhook('wh_1', 'first')])
      expect(await storage.queue.record([outcome(claimed, delivered)])).toEqual(new Set(['dlv_a']))
      expect(await dueAt(storage, leaseMs + 1)).toEqual([])
    })

    it('a result that is recorded twice counts once', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const result = outcome(await claimOne(storage))
      expect(await storage.queue.record([result])).toEqual(new Set(['dlv_a']))
      expect(await storage.queue.record([result])).toEqual(new Set())
      expect(await storage.reads.deliveries.attempts('ours', 'dlv_a')).toHaveLength(1)
    })

    it('a result with the id of another account, or for an unknown delivery, is dropped', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const claimed = await claimOne(storage)
      const foreign = outcome({ ...claimed, account_id: 'theirs' }, delivered)
      const unknown = outcome({ ...claimed, id: 'dlv_unknown' }, delivered)
      expect(await storage.queue.record([foreign, unknown])).toEqual(new Set())
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toMatchObject({ state: 'pending' })
      expect(await storage.queue.record([outcome(claimed, delivered)])).toEqual(new Set(['dlv_a']))
    })

    it('a result counts even if its endpoint was disabled or removed meanwhile', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0, b: 1 })
      const [a, b] = await claim(storage, { at: 5 })
      for (const fields of [{ disabled_at: instant(6) }, { removed_at: instant(7) }]) {
        await storage.transaction((tx) => tx.endpoints.update(endpoint('ours', 'wh_1', fields)))
        const delivery = present('disabled_at' in fields ? a : b)
        expect(await storage.queue.record([outcome(delivery, delivered)])).toEqual(new Set([delivery.id]))
      }
    })
  })
}

export function reopenContract({ describe, it, expect }: Suite): void {
  describe('reopened deliveries', () => {
    const reopen = (storage: Storage, at: number, { id = 'dlv_a', account_id = 'ours' } = {}) =>
      storage.transaction((tx) => tx.deliveries.reopen(account_id, id, instant(at)))

    for (const [state, result] of [
      ['delivered', delivered],
      ['failed', failed],
      ['waiting', update({ next_attempt_at: instant(3_600_000) })],
    ] as const) {
      it(`a ${state} delivery starts a new run, and keeps its number of attempts`, async (storage) => {
        await prepare(storage)
        await addDeliveries(storage, { a: 0 })
        await storage.queue.record([outcome(await claimOne(storage), { ...result, attempt_count: 6 })])
        expect(await reopen(storage, 50_000)).toBe(true)
        expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toMatchObject({
          state: 'pending',
          attempt_count: 6,
          next_attempt_at: instant(50_000),
          created_at: instant(),
        })
        expect(await storage.reads.deliveries.attempts('ours', 'dlv_a')).toHaveLength(1)

        expect(await dueAt(storage, 49_999)).toEqual([])
        const [due] = await dueAt(storage, 50_000)
        expect(await oldestDue(storage, 50_000)).toBe(instant(50_000))
        expect(await claim(storage, { at: 50_000, ...present(due) })).toMatchObject([
          {
            id: 'dlv_a',
            attempt_count: 6,
            run_attempt_count: 0,
            run_started_at: instant(50_000),
            next_attempt_at: instant(50_000),
          },
        ])
      })
    }

    it('a delivery in an attempt is refused, and unchanged', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const claimed = await claimOne(storage)
      expect(await reopen(storage, 0)).toBe(false)
      expect(await reopen(storage, leaseMs - 1)).toBe(false)
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toMatchObject({ next_attempt_at: instant() })
      expect(await dueAt(storage, leaseMs - 1)).toEqual([])
      expect(await storage.queue.record([outcome(claimed, delivered)])).toEqual(new Set(['dlv_a']))
      expect(await reopen(storage, 1)).toBe(true)
    })

    it('a delivery whose lease expired starts a new run; its earlier attempt no longer counts', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const claimed = await claimOne(storage)
      expect(await reopen(storage, leaseMs + 1)).toBe(true)
      expect(await storage.queue.record([outcome(claimed, failed)])).toEqual(new Set())
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toMatchObject({ state: 'pending' })
    })

    it('an unknown delivery and one of another account are refused, and unchanged', async (storage) => {
      await prepare(storage)
      await addOwner(storage, 'theirs')
      await addDeliveries(storage, { a: 0 })
      await storage.queue.record([outcome(await claimOne(storage), failed)])
      expect(await reopen(storage, 10, { id: 'dlv_unknown' })).toBe(false)
      expect(await reopen(storage, 10, { account_id: 'theirs' })).toBe(false)
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toMatchObject({ state: 'failed' })
    })

    it('a reopening that rolls back leaves the delivery unchanged', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      await storage.queue.record([outcome(await claimOne(storage), failed)])
      const rolledBack = storage.transaction(async (tx) => {
        expect(await tx.deliveries.reopen('ours', 'dlv_a', instant(10))).toBe(true)
        throw new Error('changed our mind')
      })
      await ended(rolledBack)
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toMatchObject({ state: 'failed' })
      expect(await dueAt(storage, 86_400_000)).toEqual([])
    })
  })
}
