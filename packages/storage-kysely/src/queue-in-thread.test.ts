import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { type ClaimedDelivery, type DeliveryQueue, UnavailableError } from '@sav/core/ports'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { attempt, delivered, outcome } from '../../storage-contract/src/samples/queue-samples.js'
import { newFile, newStore, openThreaded } from '../test/files.js'
import { openShop } from '../test/shop.js'
import { queueInThread } from './queue-in-thread.js'
import type { SqliteStorage } from './sqlite.js'

const at = '2026-01-15T10:30:00.000Z'
const now = '2026-01-15T10:45:00.000Z'
const lease = { now, leasedUntil: '2026-01-15T10:45:15.000Z', token: 'lease_1' }
const first = { lane: 'first', target: 'wh_1', channel: 'webhook', limit: 5 } as const

async function open(file?: string, busyTimeoutMs = 50): Promise<SqliteStorage> {
  const storage = await openThreaded(file ?? (await newStore({})), { busyTimeoutMs })
  onTestFinished(() => storage.close())
  return storage
}

const deliver = ({ transaction }: SqliteStorage, ids: readonly string[]) =>
  transaction((tx) =>
    tx.outbox.add({
      ...{ account_id: 'default', id: `evt_${ids[0]}`, event: 'sav.created', body: '{"à":1}', created_at: at },
      deliveries: ids.map((id) => ({ id, channel: 'webhook', target: 'wh_1' })),
    }),
  )

const recorded = (delivery: ClaimedDelivery) => ({
  ...outcome(delivery, delivered),
  attempt: attempt({ status: 200, error: null, response: 'merci, à bientôt' }),
})

describe('a queue in its own thread', () => {
  it('claims and releases deliveries and records their attempts, and this process can read the results', async () => {
    const storage = await open()
    const { queue, reads } = storage
    await openShop(storage)
    const commits: number[] = []
    storage.watchCommits((transactions) => commits.push(transactions))
    await deliver(storage, ['dlv_1', 'dlv_2', 'dlv_3'])
    expect(await queue.due(now)).toEqual([{ lane: 'first', target: 'wh_1', channel: 'webhook' }])
    expect(await queue.lateness({ now, behindSince: now })).toMatchObject({ oldest_unclaimed: at, targets_behind: 1 })
    const claimed = await queue.claim([first], lease)
    expect(claimed.map(({ id, body, traceparent }) => [id, body, traceparent])).toEqual(
      ['dlv_1', 'dlv_2', 'dlv_3'].map((id) => [id, '{"à":1}', null]),
    )
    const [one, two, three] = claimed
    if (!one || !two || !three) throw new Error('nothing was claimed')
    expect(await queue.intend(one, now)).toBe(true)
    const taken = { ...recorded(two), delivery: { ...two, lease_token: 'lease_9' } }
    expect(await queue.record([recorded(one), taken])).toEqual(new Set(['dlv_1']))
    await queue.release([three])
    expect(await reads.deliveries.attempts('default', 'dlv_1')).toMatchObject([
      { status: 200, response: 'merci, à bientôt' },
    ])
    expect(await queue.counts()).toEqual({ pending: 2, delivered: 1, failed: 0 })
    expect((await queue.claim([first], { ...lease, token: 'lease_2' })).map(({ id }) => id)).toEqual(['dlv_3'])
    expect(await queue.purgeable({ deliveredBefore: now, failedBefore: now })).toBe(1)
    expect(await queue.purge({ deliveredBefore: now, failedBefore: now, limit: 9 })).toBe(1)
    expect(await queue.expire({ now, disabledBefore: at, limit: 9 })).toBe(0)
    // This counts the commits of this process and of the thread.
    expect(commits.length).toBeGreaterThan(5)
  })

  it('that ends rejects running calls, and starts a new thread for the next call', async () => {
    const file = await newStore({})
    const storage = await open(file, 60_000)
    const started = once(process, 'worker')
    const before = storage.queue.due(now)
    const [thread] = (await started) as [Worker]
    await before
    // Writers wait for this, so that none of them is answered before the thread ends.
    const other = new Sqlite(file)
    onTestFinished(() => void other.close())
    other.exec('begin immediate')
    const asked = [storage.queue.release([]), storage.queue.claim([first], lease)].map((call) =>
      expect(call).rejects.toThrow(UnavailableError),
    )
    await thread.terminate()
    await Promise.all(asked)
    other.exec('rollback')
    await deliver(storage, ['dlv_1'])
    expect(await storage.queue.claim([first], lease)).toHaveLength(1)
  })

  it('reports that the store is busy while another process locks it, and works again afterwards', async () => {
    const file = await newStore({})
    const storage = await open(file)
    await deliver(storage, ['dlv_1'])
    const other = new Sqlite(file)
    onTestFinished(() => void other.close())
    await storage.queue.due(now)
    other.exec('begin immediate')
    const refused: unknown = await storage.queue.claim([first], lease).catch((error) => error)
    expect(refused).toBeInstanceOf(UnavailableError)
    expect(refused).toMatchObject({ retryAfterSeconds: 1, message: expect.stringContaining('busy') })
    other.exec('rollback')
    expect(await storage.queue.claim([first], lease)).toHaveLength(1)
  })

  it('that cannot open the store rejects each call until the store can be opened', async () => {
    const file = await newStore({})
    // In this test, only the thread opens the store.
    const of = { path: file, busyTimeoutMs: 50, prefix: '' }
    const queue = queueInThread(of, { watch: () => () => {}, committed() {}, damaged() {} })
    const other = new Sqlite(file)
    onTestFinished(() => void other.close())
    other.pragma('journal_mode = DELETE')
    other.exec('begin exclusive')
    await expect(queue.due(now)).rejects.toThrow(UnavailableError)
    other.exec('rollback')
    await expect.poll(() => queue.due(now).catch(() => null)).toEqual([])
    await queue.close()
  })

  it('that finds no database file rejects the call, and creates no file', async () => {
    const file = newFile()
    const of = { path: file, busyTimeoutMs: 50, prefix: '' }
    const queue = queueInThread(of, { watch: () => () => {}, committed() {}, damaged() {} })
    await expect(queue.due(now)).rejects.toThrow(
      new UnavailableError(`The database ${file} does not exist.`, { retryAfterSeconds: 10 }),
    )
    // Its thread may have ended already.
    await queue.close().catch(() => {})
    expect(existsSync(file)).toBe(false)
  })

  describe('that starts under load', () => {
    /** The queue of a store with `count` due deliveries, and the threads that have started. */
    async function waiting(count: number) {
      const storage = await openSqlite(await newStore({}))
      onTestFinished(() => storage.close())
      await openShop(storage)
      const threads: Worker[] = []
      const note = (thread: Worker) => threads.push(thread)
      process.on('worker', note)
      onTestFinished(() => void process.off('worker', note))
      await deliver(
        storage,
        Array.from({ length: count }, (_, n) => `dlv_${n}`),
      )
      return { queue: storage.queueInThread({ starts: 'under load' }), threads }
    }
    const claim = (queue: DeliveryQueue, limit: number) => queue.claim([{ ...first, limit }], lease)

    it('starts its thread when 16 deliveries are claimed at once, and uses the thread once it answers', async () => {
      const { queue, threads } = await waiting(31)
      expect(await claim(queue, 15)).toHaveLength(15)
      expect(await queue.counts()).toEqual({ pending: 31, delivered: 0, failed: 0 })
      // A thread is reported in the next turn.
      await turn()
      expect(threads).toEqual([])
      expect(await claim(queue, 16)).toHaveLength(16)
      await expect.poll(() => threads.length).toBe(1)
      const [thread] = threads
      if (thread === undefined) throw new Error('no thread has begun')
      const asked: string[] = []
      const ask = thread.postMessage.bind(thread)
      thread.postMessage = (text: string) => {
        asked.push(text)
        ask(text)
      }
      await expect.poll(async () => (await queue.counts()) && asked.join()).toContain('"counts"')
      expect(await queue.counts()).toEqual({ pending: 31, delivered: 0, failed: 0 })
    })

    it('works without a thread that has failed, and starts another under the next load', async () => {
      const { queue, threads } = await waiting(48)
      await claim(queue, 16)
      await expect.poll(() => threads.length).toBe(1)
      await threads[0]?.terminate()
      expect(await claim(queue, 16)).toHaveLength(16)
      await expect.poll(() => threads.length).toBe(2)
      expect(await claim(queue, 16)).toHaveLength(16)
    })
  })

  it('rejects calls once it is closed, and cannot be opened for a database in memory', async () => {
    const storage = await openSqlite(newFile())
    onTestFinished(() => storage.close())
    const queue = storage.queueInThread()
    for (const _ of ['once', 'twice']) await queue.close()
    await expect(queue.due(now)).rejects.toThrow('The queue is closed.')
    const inMemory = await openSqlite(':memory:')
    onTestFinished(() => inMemory.close())
    expect(() => inMemory.queueInThread()).toThrow(TypeError)
  })
})
