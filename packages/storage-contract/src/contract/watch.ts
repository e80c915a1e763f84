import type { Storage, Transaction } from '@sav/core/ports'
import { claimOne, failed, outcome, prepare } from '../samples/queue-samples.js'
import { addDelivery, ended, endpoint, enqueue, instant } from '../samples/samples.js'
import type { Suite } from './suite.js'

/** Adds the endpoints `wh_1` and `wh_2`, which is disabled, and the failed delivery `dlv_old`. */
async function prepareWatched(storage: Storage): Promise<void> {
  await prepare(storage)
  const disabled = endpoint('ours', 'wh_2', { disabled_at: instant() })
  await storage.transaction((tx) => tx.endpoints.update(disabled))
  await addDelivery(storage, { account_id: 'ours', name: 'old', target: 'wh_1' })
  await storage.queue.record([outcome(await claimOne(storage), failed)])
}

function watching(storage: Storage) {
  const woken = { times: 0 }
  const leave = storage.queue.watch(() => {
    woken.times += 1
  })
  return { woken, leave }
}

/**
 * Whether each of five transactions woke the watcher. A single wake proves nothing, since a superfluous one may come at
 * any time.
 */
async function alwaysWakes(storage: Storage, work: (tx: Transaction) => Promise<unknown>): Promise<boolean> {
  const { woken, leave } = watching(storage)
  let always = true
  for (let round = 0; round < 5; round += 1) {
    const before = woken.times
    await ended(storage.transaction(work))
    always &&= woken.times > before
  }
  leave()
  return always
}

/** Gives events distinct numbers. */
let events = 0

type Work = readonly [string, (tx: Transaction) => Promise<unknown>]

const leaveDue: readonly Work[] = [
  ['an event with a delivery', (tx) => enqueue(tx, { account_id: 'ours', name: 'new', target: 'wh_1' })],
  ['a delivery that is reopened', (tx) => tx.deliveries.reopen('ours', 'dlv_old', instant(60_000))],
  ['an endpoint that is enabled', (tx) => tx.endpoints.update(endpoint('ours', 'wh_2'))],
]

const leaveNothingDue: readonly Work[] = [
  [
    'an event without a delivery',
    (tx) => {
      const event = { account_id: 'ours', event: 'sav.created', body: '{}', created_at: instant() }
      return tx.outbox.add({ id: `evt_alone_${++events}`, ...event, deliveries: [] })
    },
  ],
  ['reopening an unknown delivery', (tx) => tx.deliveries.reopen('ours', 'dlv_unknown', instant(60_000))],
  ['an endpoint that is disabled', (tx) => tx.endpoints.update(endpoint('ours', 'wh_1', { disabled_at: instant() }))],
  ['an endpoint that is removed', (tx) => tx.endpoints.update(endpoint('ours', 'wh_2', { removed_at: instant() }))],
  ['a fact', (tx) => tx.facts.set('colour', 'blue')],
  ['nothing', async () => {}],
]

export function watchContract({ describe, it, expect }: Suite): void {
  describe('a watcher of the queue', () => {
    for (const [what, work] of leaveDue) {
      it(`is woken at once by the commit of ${what}`, async (storage) => {
        await prepareWatched(storage)
        const { woken, leave } = watching(storage)
        let before = 0
        await storage.transaction(async (tx) => {
          await work(tx)
          before = woken.times
        })
        expect(woken.times).toBeGreaterThan(before)
        leave()
      })

      it(`is not woken by ${what} that is rolled back`, async (storage) => {
        await prepareWatched(storage)
        const rolledBack = async (tx: Transaction) => {
          await work(tx)
          throw new Error('changed our mind')
        }
        expect(await alwaysWakes(storage, rolledBack)).toBe(false)
      })

      it(`is not woken by ${what} after it has left`, async (storage) => {
        await prepareWatched(storage)
        const [leaving, staying] = [watching(storage), watching(storage)]
        leaving.leave()
        const before = leaving.woken.times
        await storage.transaction(work)
        expect(staying.woken.times).toBeGreaterThanOrEqual(1)
        expect(leaving.woken.times).toBe(before)
        staying.leave()
      })
    }

    for (const [what, work] of leaveNothingDue) {
      it(`is not woken by the commit of ${what}`, async (storage) => {
        await prepareWatched(storage)
        expect(await alwaysWakes(storage, work)).toBe(false)
      })
    }

    it('is woken at once by a released delivery, but not by a release with another lease', async (storage) => {
      await prepare(storage)
      const { woken, leave } = watching(storage)
      const wokenBy = async (lease_token: string) => {
        const before = woken.times
        await storage.queue.release([{ ...claimed, lease_token }])
        return woken.times > before
      }
      await addDelivery(storage, { account_id: 'ours', name: 'new', target: 'wh_1' })
      const claimed = await claimOne(storage)
      // One of these wake-ups may be the late announcement of the delivery itself.
      const strange: boolean[] = []
      for (const n of Array(5).keys()) strange.push(await wokenBy(`another ${n}`))
      expect(strange).toContain(false)
      expect(await wokenBy(claimed.lease_token)).toBe(true)
      leave()
    })

    it('ends separately for each call of `watch`, even with the same function', async (storage) => {
      await prepareWatched(storage)
      let times = 0
      const wake = () => {
        times += 1
      }
      const [first, second] = [storage.queue.watch(wake), storage.queue.watch(wake)]
      first()
      first()
      const before = times
      await storage.transaction((tx) => enqueue(tx, { account_id: 'ours', name: 'new', target: 'wh_1' }))
      expect(times).toBeGreaterThan(before)
      second()
    })
  })
}
