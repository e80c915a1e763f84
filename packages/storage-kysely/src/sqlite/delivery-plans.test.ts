import type { DeliveryFilter, HistoryQuery, Storage } from '@sav/core/ports'
import { describe, expect, it } from 'vitest'
import { claimedDelivery, delivered, outcome, update } from '../../../storage-contract/src/samples/queue-samples.js'
import { at, explained, indexesOf, openBeforeTests } from '../../test/sqlite-plans.js'

openBeforeTests()

describe('histories of deliveries', () => {
  const after = [at, 'dlv_1']
  const queries: [Omit<HistoryQuery, 'limit'>, string][] = [
    [{}, 'deliveries_recent'],
    [{ since: at }, 'deliveries_recent'],
    [{ event: 'sav.created' }, 'deliveries_recent'],
    [{ after }, 'deliveries_recent'],
    [{ state: 'delivered' }, 'deliveries_recent'],
    [{ endpoint_id: 'wh_1' }, 'deliveries_target'],
    [{ endpoint_id: 'wh_1', after }, 'deliveries_target'],
    [{ endpoint_id: 'wh_1', state: 'delivered' }, 'deliveries_target'],
    [{ letters: false, after }, 'deliveries_recent'],
    [{ letters: false, state: 'delivered' }, 'deliveries_recent'],
    [{ letters: false, endpoint_id: 'wh_1' }, 'deliveries_target'],
  ]

  for (const [query, index] of queries)
    it(`with ${Object.values(query).join(' and ') || 'no filter'} use ${index}, in its order`, async () => {
      const list = (storage: Storage) => storage.reads.deliveries.list('ours', { ...query, limit: 50 })
      expect(await indexesOf(list)).toEqual([index])
      expect((await explained(list)).filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    })

  const apart: [Omit<HistoryQuery, 'limit'>, string][] = [
    [{ state: 'pending' }, 'delivery_queue'],
    [{ state: 'failed' }, 'failed_deliveries'],
    [{ state: 'failed', since: at, after }, 'failed_deliveries'],
    [{ state: 'pending', endpoint_id: 'wh_1' }, 'delivery_queue'],
    [{ letters: false, state: 'failed' }, 'failed_deliveries'],
  ]

  for (const [query, table] of apart)
    it(`with ${Object.values(query).join(' and ')} use the primary key of ${table}, in its order`, async () => {
      const steps = await explained((storage) => storage.reads.deliveries.list('ours', { ...query, limit: 50 }))
      expect(steps).toEqual([
        expect.stringContaining(`SEARCH ${table} USING PRIMARY KEY (account_id=?`),
        'SEARCH deliveries USING INDEX sqlite_autoindex_deliveries_1 (account_id=? AND id=?)',
      ])
    })
})

describe('the queue', () => {
  const lease = { now: at, leasedUntil: at, token: 'token' }
  const held = claimedDelivery()

  it('finds due deliveries through delivery_queue_due, one target after another', async () => {
    const lateness = ({ queue }: Storage) => queue.lateness({ now: at, behindSince: at })
    for (const ask of [({ queue }: Storage) => queue.due(at), lateness]) {
      expect(await indexesOf(ask)).toEqual(['delivery_queue_due', 'webhook_endpoints_id'])
      const probes = (await explained(ask)).filter((step) => step.startsWith('SEARCH delivery_queue'))
      expect(probes).toContain('SEARCH delivery_queue USING COVERING INDEX delivery_queue_due (lane=? AND target>?)')
    }
  })

  it('claims deliveries through delivery_queue_due, in its order', async () => {
    const claim = (storage: Storage) =>
      storage.queue.claim([{ lane: 'first', target: 'wh_1', channel: 'webhook', limit: 5 }], lease)
    expect(await indexesOf(claim)).toEqual(['delivery_queue_due', 'webhook_endpoints_id'])
    expect((await explained(claim)).filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  })

  it.each([delivered, update()])('writes to claimed deliveries by their primary key: $state', async (result) => {
    const record = (storage: Storage) => storage.queue.record([outcome(held, result)])
    for (const write of [record, (storage: Storage) => storage.queue.release([held])])
      expect((await explained(write)).filter((step) => step.startsWith('SEARCH'))).toEqual([
        'SEARCH delivery_queue USING PRIMARY KEY (account_id=? AND created_at=? AND id=?)',
      ])
  })
})

describe('counts of deliveries', () => {
  const filters: [DeliveryFilter, string][] = [
    [{}, 'deliveries_recent'],
    [{ event: 'sav.created' }, 'deliveries_target'],
    [{ since: at }, 'deliveries_recent'],
    [{ state: 'delivered' }, 'deliveries_recent'],
    [{ state: 'delivered', endpoint_id: 'wh_1' }, 'deliveries_target'],
    [{ endpoint_id: 'wh_1' }, 'deliveries_target'],
  ]

  for (const [filter, index] of filters)
    it(`with ${Object.keys(filter).join(' and ') || 'no filter'} use ${index}`, async () => {
      expect(await indexesOf((storage) => storage.reads.deliveries.count('ours', filter))).toEqual([index])
    })

  for (const [filter, index] of filters)
    it(`with ${Object.keys(filter).join(' and ') || 'no filter'} and no letters use ${index} and deliveries_letters alone`, async () => {
      const count = (storage: Storage) => storage.reads.deliveries.count('ours', { ...filter, letters: false })
      expect(await indexesOf(count)).toEqual(['deliveries_letters', index].toSorted())
    })

  it('that exclude letters count the letters from their index alone', async () => {
    const steps = await explained((storage) => storage.reads.deliveries.count('ours', { letters: false }))
    expect(steps.filter((step) => step.includes('deliveries_letters'))).toEqual([
      expect.stringContaining('USING COVERING INDEX deliveries_letters'),
    ])
  })

  it('by state are read from indexes alone, for each account', async () => {
    const counts = (storage: Storage) => storage.queue.counts()
    expect(await indexesOf(counts, { reading: ['accounts'] })).toEqual(['deliveries_recent'])
    const searches = (await explained(counts)).filter((step) => step.startsWith('SEARCH'))
    expect(searches.filter((step) => !/COVERING INDEX|PRIMARY KEY/.test(step))).toEqual([])
  })
})

describe('upkeep', () => {
  const bounds = { deliveredBefore: at, failedBefore: at }

  it('finds hopeless deliveries through the disabled and removed endpoints, and reads only their backlog', async () => {
    const expire = (storage: Storage) => storage.queue.expire({ now: at, disabledBefore: at, limit: 5 })
    expect(await indexesOf(expire)).toEqual([
      'delivery_queue_due',
      'subscriptions_target',
      'webhook_endpoints_disabled',
      'webhook_endpoints_removed',
    ])
    expect(await explained(expire)).toContain(
      'SEARCH delivery_queue USING INDEX delivery_queue_due (lane=? AND target=? AND next_attempt_at<?)',
    )
  })

  it('finds old deliveries and events through indexes of state and time, for each account', async () => {
    const indexes = ['deliveries_recent', 'events_created']
    const purgeable = (storage: Storage) => storage.queue.purgeable(bounds)
    expect(await indexesOf(purgeable, { reading: ['accounts'] })).toEqual(indexes)
    const purge = (storage: Storage) => storage.queue.purge({ ...bounds, limit: 5 })
    expect(await indexesOf(purge, { reading: ['accounts'] })).toEqual(indexes)
  })

  it('finds old answers by the index of their creation, and old calls by the primary key', async () => {
    const answers = (storage: Storage) => storage.reads.idempotency.purgeable(at)
    const purgeAnswers = (storage: Storage) => storage.transaction((tx) => tx.idempotency.purge(at, 5))
    for (const asked of [answers, purgeAnswers]) expect(await indexesOf(asked)).toContain('answers_created')
    const calls = (storage: Storage) => storage.reads.audit.purgeable(at)
    const purgeCalls = (storage: Storage) => storage.transaction((tx) => tx.audit.purge(at, 5))
    for (const asked of [calls, purgeCalls]) expect(await indexesOf(asked, { reading: ['accounts'] })).toEqual([])
  })

  it('deletes by primary key', async () => {
    const steps = await explained((storage) => storage.queue.purge({ ...bounds, limit: 5 }))
    const keys = ['account_id=? AND delivery_id=?', 'account_id=? AND id=?']
    for (const [table, key] of [
      ['attempts', keys[0]],
      ['deliveries', keys[1]],
      ['events', keys[1]],
    ])
      expect(steps.filter((step) => step.startsWith(`SEARCH ${table} USING`) && step.endsWith(`(${key})`))).not.toEqual(
        [],
      )
  })
})
