import type { Delivery, HistoryQuery, Storage } from '@sav/core/ports'
import { claim, delivered, failed, leaseMs, outcome } from '../samples/queue-samples.js'
import {
  addDelivery,
  addEndpoint,
  addOwner,
  endpoint,
  enqueue,
  instant,
  present,
  twoOwners,
} from '../samples/samples.js'
import type { Suite } from './suite.js'

export function outboxContract({ describe, it, expect }: Suite): void {
  describe('outbox', () => {
    it('an event is written with all its deliveries, pending and due from its instant on', async (storage) => {
      await addOwner(storage, 'ours')
      await addEndpoint(storage, 'ours', 'wh_1')
      await addEndpoint(storage, 'ours', 'wh_2', { disabled_at: instant() })
      await storage.transaction((tx) =>
        tx.outbox.add({
          id: 'evt_1',
          account_id: 'ours',
          event: 'sav.closed',
          body: '{}',
          created_at: instant(5),
          deliveries: [
            { id: 'dlv_1', channel: 'webhook', target: 'wh_1' },
            { id: 'dlv_2', channel: 'webhook', target: 'wh_2' },
          ],
        }),
      )
      const expected = (id: string, endpoint_id: string): Delivery => ({
        id,
        account_id: 'ours',
        event_id: 'evt_1',
        event: 'sav.closed',
        channel: 'webhook',
        endpoint_id,
        state: 'pending',
        attempt_count: 0,
        next_attempt_at: instant(5),
        last_status: null,
        last_error: null,
        last_error_code: null,
        created_at: instant(5),
      })
      expect(await storage.reads.deliveries.find('ours', 'dlv_1')).toEqual(expected('dlv_1', 'wh_1'))
      expect(await storage.reads.deliveries.find('ours', 'dlv_2')).toEqual(expected('dlv_2', 'wh_2'))
      expect(await storage.reads.deliveries.find('ours', 'dlv_3')).toBeNull()
      expect(await storage.reads.deliveries.attempts('ours', 'dlv_1')).toEqual([])
    })

    it('the bodies of many events of one account are read at once', async (storage) => {
      await twoOwners(storage)
      const ids = Array.from({ length: 70 }, (_, index) => `evt_${index}`)
      await storage.transaction(async (tx) => {
        for (const id of ids)
          await tx.outbox.add({
            ...{ id, account_id: 'ours', event: 'sav.closed', body: `{"of":"${id}"}` },
            ...{ created_at: instant(), deliveries: [] },
          })
      })
      const { deliveries } = storage.reads
      const expected = new Map(ids.map((id) => [id, `{"of":"${id}"}`]))
      expect(await deliveries.bodies('ours', [...ids, 'evt_missing'])).toEqual(expected)
      expect(await deliveries.bodies('ours', [])).toEqual(new Map())
      expect(await deliveries.bodies('theirs', ids)).toEqual(new Map())
    })

    it('an event can get more deliveries later, with the same body and another due time', async (storage) => {
      await addOwner(storage, 'ours')
      const event = { id: 'evt_1', account_id: 'ours', event: 'sav.report' }
      const by = (id: string) => [{ id, channel: 'email', target: 'email' }]
      await storage.transaction((tx) =>
        tx.outbox.add({ ...event, body: '{"first":1}', created_at: instant(), deliveries: by('dlv_1') }),
      )
      await storage.transaction((tx) =>
        tx.outbox.addDeliveries({ ...event, created_at: instant(), due_at: instant(5), deliveries: by('dlv_2') }),
      )
      const deliveries = await storage.reads.deliveries.ofEvent('ours', 'evt_1')
      expect(deliveries.map(({ id, state, next_attempt_at }) => [id, state, next_attempt_at])).toEqual([
        ['dlv_1', 'pending', instant()],
        ['dlv_2', 'pending', instant(5)],
      ])
      const claimed = await claim(storage, { at: 9, target: 'email', channel: 'email' })
      expect(claimed.map(({ id, body }) => [id, body])).toEqual([
        ['dlv_1', '{"first":1}'],
        ['dlv_2', '{"first":1}'],
      ])
    })
  })
}

/**
 * Adds 36 deliveries to two endpoints and by e-mail, of three kinds of events at twelve instants. One third is
 * delivered, one third has failed, and one third is pending.
 */
async function addMixedDeliveries(storage: Storage): Promise<Delivery[]> {
  await addOwner(storage, 'ours')
  for (const id of ['wh_1', 'wh_2']) await addEndpoint(storage, 'ours', id)
  const ids: string[] = []
  await storage.transaction(async (tx) => {
    for (let index = 0; index < 36; index++) {
      const name = String(index).padStart(2, '0')
      const target = present(['wh_1', 'wh_1', 'wh_2', 'email'][index % 4])
      const event = present(['sav.created', 'sav.closed', 'sav.updated'][Math.floor(index / 3) % 3])
      const channel = target === 'email' ? 'email' : 'webhook'
      ids.push(await enqueue(tx, { account_id: 'ours', name, channel, target, event, created_at: instant(index % 12) }))
    }
  })
  const now = instant(100)
  const lease = { now, leasedUntil: instant(15_000), token: 'token' }
  const requests = ['wh_1', 'wh_2', 'email'].map((target) => ({
    target,
    channel: target === 'email' ? 'email' : 'webhook',
    lane: 'first' as const,
    limit: 36,
  }))
  const claimed = await storage.queue.claim(requests, lease)
  await storage.queue.record(
    claimed
      .filter(({ id }) => ids.indexOf(id) % 3 !== 2)
      .map((delivery) => outcome(delivery, ids.indexOf(delivery.id) % 3 === 0 ? delivered : failed)),
  )
  await storage.queue.release(claimed)
  return Promise.all(ids.map(async (id) => present(await storage.reads.deliveries.find('ours', id))))
}

export function deliveryHistoryContract({ describe, it, expect }: Suite): void {
  describe('history of deliveries', () => {
    it('deliveries to an endpoint are counted by hour and state, from an instant on', async (storage) => {
      await addOwner(storage, 'ours')
      await addOwner(storage, 'theirs')
      for (const id of ['wh_1', 'wh_2']) await addEndpoint(storage, 'ours', id)
      await addEndpoint(storage, 'theirs', 'wh_3')
      const hour = 3_600_000
      const made = [
        ['a', 'wh_1', -1],
        ['b', 'wh_1', 0],
        ['c', 'wh_1', hour / 2 - 1],
        ['d', 'wh_1', hour / 2],
        ['e', 'wh_2', 0],
      ] as const
      await storage.transaction(async (tx) => {
        for (const [name, target, ms] of made)
          await enqueue(tx, { account_id: 'ours', name, target, created_at: instant(ms) })
      })
      const { deliveries } = storage.reads
      const counted = await deliveries.activity('ours', 'wh_1', instant())
      expect(counted.toSorted((a, b) => (a.heure < b.heure ? -1 : 1))).toEqual([
        { heure: '2026-01-15T10', state: 'pending', nombre: 2 },
        { heure: '2026-01-15T11', state: 'pending', nombre: 1 },
      ])
      expect(await deliveries.activity('theirs', 'wh_1', instant(-hour))).toEqual([])
    })

    it('only pending deliveries of one account are counted', async (storage) => {
      const all = await addMixedDeliveries(storage)
      const pending = all.filter(({ state }) => state === 'pending').map(({ created_at }) => created_at)
      const { total, oldest } = await storage.reads.deliveries.waiting('ours', instant())
      expect({ total, oldest }).toEqual({ total: pending.length, oldest: pending.toSorted()[0] })
      await addOwner(storage, 'nobody')
      const none = { total: 0, due: 0, in_flight: 0, oldest: null }
      expect(await storage.reads.deliveries.waiting('nobody', instant())).toEqual(none)
    })

    it('a waiting delivery counts as due, as in flight during its lease, and as due again afterwards', async (storage) => {
      await addOwner(storage, 'ours')
      await addEndpoint(storage, 'ours', 'wh_1')
      await storage.transaction(async (tx) => {
        for (const [name, ms] of [
          ['a', 0],
          ['b', 1],
          ['c', 2],
        ] as const)
          await enqueue(tx, { account_id: 'ours', name, target: 'wh_1', created_at: instant(ms) })
      })
      const at = async (ms: number) => {
        const { due, in_flight } = await storage.reads.deliveries.waiting('ours', instant(ms))
        return { due, in_flight }
      }
      expect(await at(1)).toEqual({ due: 2, in_flight: 0 })
      expect(await claim(storage, { at: 1, token: 'first' })).toHaveLength(2)
      expect(await at(1)).toEqual({ due: 0, in_flight: 2 })
      expect(await at(leaseMs)).toEqual({ due: 1, in_flight: 2 })
      expect(await at(leaseMs + 1)).toEqual({ due: 3, in_flight: 0 })
    })

    const filters: Omit<HistoryQuery, 'limit'>[] = [
      {},
      { state: 'pending' },
      { state: 'delivered' },
      { state: 'failed' },
      { endpoint_id: 'wh_1' },
      { endpoint_id: 'wh_9' },
      { event: 'sav.closed' },
      { event: 'sav.reopened' },
      { since: instant(4) },
      { since: instant(11) },
      { since: instant(12) },
      { letters: false },
      { letters: true },
    ]

    function matches(found: Delivery, query: Omit<HistoryQuery, 'limit'>): boolean {
      return (
        (query.state === undefined || found.state === query.state) &&
        (query.endpoint_id === undefined || found.endpoint_id === query.endpoint_id) &&
        (query.letters !== false || found.channel === 'webhook') &&
        (query.event === undefined || found.event === query.event) &&
        (query.since === undefined || found.created_at >= query.since)
      )
    }

    function newestFirst(a: Delivery, b: Delivery): number {
      if (a.created_at !== b.created_at) return a.created_at > b.created_at ? -1 : 1
      return a.id > b.id ? -1 : 1
    }

    it('is newest first, then by descending id, and shows each delivery completely', async (storage) => {
      const deliveries = await addMixedDeliveries(storage)
      const listed = await storage.reads.deliveries.list('ours', { limit: 100 })
      expect(listed).toEqual(deliveries.toSorted(newestFirst))
    })

    it('returns and counts the rows of each filter, and of any two', async (storage) => {
      const deliveries = await addMixedDeliveries(storage)
      for (const [index, first] of filters.entries()) {
        for (const second of filters.slice(index)) {
          const query = { ...first, ...second }
          const expected = deliveries.filter((found) => matches(found, query)).toSorted(newestFirst)
          const listed = await storage.reads.deliveries.list('ours', { ...query, limit: 100 })
          expect({ query, ids: listed.map(({ id }) => id) }).toEqual({ query, ids: expected.map(({ id }) => id) })
          const count = await storage.reads.deliveries.count('ours', query)
          expect({ query, count }).toEqual({ query, count: expected.length })
        }
      }
    })

    it('continues after its cursor, without a gap or a repetition, with and without filters', async (storage) => {
      const deliveries = await addMixedDeliveries(storage)
      for (const query of filters) {
        const expected = deliveries.filter((found) => matches(found, query)).toSorted(newestFirst)
        const listed: Delivery[] = []
        let after: HistoryQuery['after']
        for (;;) {
          const page = await storage.reads.deliveries.list('ours', { ...query, after, limit: 5 })
          expect(page).toHaveLength(Math.min(5, expected.length - listed.length))
          const last = page.at(-1)
          if (last === undefined) break
          listed.push(...page)
          after = [last.created_at, last.id]
        }
        expect(listed.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      }
    })

    it('keeps the deliveries of a removed endpoint', async (storage) => {
      await addOwner(storage, 'ours')
      await addEndpoint(storage, 'ours', 'wh_1')
      await addDelivery(storage, { account_id: 'ours', name: '1', target: 'wh_1' })
      const removed = endpoint('ours', 'wh_1', { removed_at: instant(1) })
      await storage.transaction((tx) => tx.endpoints.update(removed))
      expect(await storage.reads.deliveries.list('ours', { endpoint_id: 'wh_1', limit: 10 })).toHaveLength(1)
      expect(await storage.reads.deliveries.find('ours', 'dlv_1')).not.toBeNull()
    })

    it('shows nothing of another account', async (storage) => {
      await twoOwners(storage)
      await addEndpoint(storage, 'theirs', 'wh_1')
      await addDelivery(storage, { account_id: 'theirs', name: '1', target: 'wh_1' })
      expect(await storage.reads.deliveries.list('ours', { limit: 10 })).toEqual([])
      expect(await storage.reads.deliveries.list('ours', { endpoint_id: 'wh_1', limit: 10 })).toEqual([])
      expect(await storage.reads.deliveries.count('ours', {})).toBe(0)
      expect(await storage.reads.deliveries.count('ours', { state: 'pending', endpoint_id: 'wh_1' })).toBe(0)
      expect(await storage.reads.deliveries.find('ours', 'dlv_1')).toBeNull()
      expect(await storage.reads.deliveries.attempts('ours', 'dlv_1')).toEqual([])
    })
  })
}
