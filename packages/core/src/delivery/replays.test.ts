import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { badFields } from '../../test/case-samples.js'
import { as, openProcess, openSav, recordingHttp } from '../../test/open-sav.js'
import { UnavailableError } from '../errors.js'
import type { Storage } from '../storage.js'
import { httpAnswer } from '../testing/index.js'
import { toInstant } from '../time/time.js'
import { createReplaySteps } from './replays.js'

const description = 'La porte du meuble bas ne ferme plus.'
const url = 'https://receiver.example/hooks'

/** A service whose receivers answer with `receiver.status`. A run has one attempt, so a failure is final at once. */
async function withReceivers(over?: Storage) {
  const storage = over ?? (await memoryStorage())
  const receiver = { status: 500 }
  const { http, posted } = recordingHttp(() => httpAnswer(receiver.status))
  const opened = await openSav({ storage, http, schedule: [0] })
  const { sav, worker, actor, client, clock } = opened
  const { id: endpoint_id } = await sav.webhooks.endpoints.add(as('default'), {
    url,
    events: ['sav.created', 'sav.closed'],
  })

  /** Creates `count` cases at once, which share commits. */
  const create = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const { id } = await sav.cases.create(actor, { client_id: client.id, description })
        return id
      }),
    )
  /** Makes every attempt that is due. */
  async function send() {
    worker.start()
    await clock.advance(500)
    await worker.stop()
  }
  const counts = () => storage.queue.counts()
  const step = createReplaySteps({ storage, clock })
  return { ...opened, storage, receiver, posted, endpoint_id, create, send, counts, step }
}

/** Takes every step of every replay. Resolves to the number of steps. */
async function takeSteps(step: () => Promise<boolean>): Promise<number> {
  let steps = 0
  while (await step()) steps += 1
  return steps
}

describe('a replay', () => {
  it('retries the failed deliveries, as many as in the preview', async () => {
    const { sav, clock, create, send, counts, receiver, posted, step } = await withReceivers()
    await create(3)
    await send()
    receiver.status = 200
    await create(2)
    await send()
    expect(await sav.webhooks.replays.preview('default', {})).toEqual({ matched: 3 })
    expect(await counts()).toEqual({ pending: 0, delivered: 2, failed: 3 })

    const at = new Date(clock.now()).toISOString()
    const started = await sav.webhooks.replays.start(as('default'), {})
    expect(started).toEqual({
      id: expect.stringMatching(/^rpl_/),
      state: 'running',
      filter: { state: 'failed', endpoint_id: null, event: null, since: null },
      matched: 3,
      retried: 0,
      created_at: at,
      ended_at: null,
    })
    await clock.advance(1_000)
    expect(await takeSteps(step)).toBe(1)
    expect(await sav.webhooks.replays.get('default', started.id)).toEqual({
      ...started,
      state: 'done',
      retried: 3,
      ended_at: new Date(clock.now()).toISOString(),
    })
    expect(await counts()).toEqual({ pending: 3, delivered: 2, failed: 0 })
    await send()
    expect(await counts()).toEqual({ pending: 0, delivered: 5, failed: 0 })
    expect(posted).toHaveLength(8)
  })

  it('is run by a worker', async () => {
    const { sav, worker, create, send, counts, receiver, clock } = await withReceivers()
    await create(5)
    await send()
    receiver.status = 200
    const { id } = await sav.webhooks.replays.start(as('default'), {})
    worker.start()
    await clock.advance(3_000)
    expect(await sav.webhooks.replays.get('default', id)).toMatchObject({ state: 'done', retried: 5 })
    expect(await counts()).toEqual({ pending: 0, delivered: 5, failed: 0 })
    await worker.stop()
  })

  it('has no upper limit: 1,000 deliveries of one instant are retried in five steps', async () => {
    const { sav, create, send, counts, step } = await withReceivers()
    await create(1_000)
    await send()
    expect(await sav.webhooks.replays.preview('default', {})).toEqual({ matched: 1_000 })
    const { id, matched } = await sav.webhooks.replays.start(as('default'), {})
    expect(matched).toBe(1_000)
    const seen: number[] = []
    do seen.push((await sav.webhooks.replays.get('default', id)).retried)
    while (await step())
    expect(seen.slice(0, 6)).toEqual([0, 200, 400, 600, 800, 1_000])
    expect(await sav.webhooks.replays.get('default', id)).toMatchObject({ state: 'done', retried: 1_000 })
    expect(await counts()).toEqual({ pending: 1_000, delivered: 0, failed: 0 })
  })

  it('continues in another process, and retries each delivery once', async () => {
    const { sav, create, send, storage, clock, counts, posted, step } = await withReceivers()
    await create(500)
    await send()
    const { id } = await sav.webhooks.replays.start(as('default'), {})
    await step()
    await send()
    expect(posted).toHaveLength(700)
    const { sav: heir } = openProcess({ storage, clock, seed: 2 })
    expect(await takeSteps(createReplaySteps({ storage, clock }))).toBe(2)
    expect(await heir.webhooks.replays.get('default', id)).toMatchObject({ state: 'done', retried: 500 })
    expect(await counts()).toMatchObject({ pending: 300, failed: 200 })
  })

  it('repeats a step that could not be written, and counts nothing twice', async () => {
    const inner = await memoryStorage()
    let failing = false
    const storage: Storage = {
      ...inner,
      transaction: (work) =>
        inner.transaction(async (tx) => {
          const result = await work(tx)
          if (failing) throw new UnavailableError('The store is away.', { retryAfterSeconds: 1 })
          return result
        }),
    }
    const { sav, create, send, counts, step } = await withReceivers(storage)
    await create(300)
    await send()
    const { id } = await sav.webhooks.replays.start(as('default'), {})
    await step()
    failing = true
    await expect(step()).rejects.toThrow(UnavailableError)
    expect(await counts()).toMatchObject({ pending: 200, failed: 100 })
    failing = false
    await takeSteps(step)
    expect(await sav.webhooks.replays.get('default', id)).toMatchObject({ state: 'done', retried: 300 })
    expect(await counts()).toMatchObject({ pending: 300, failed: 0 })
  })

  it('ignores deliveries created after it began', async () => {
    const { sav, create, send, counts, clock, step } = await withReceivers()
    await create(2)
    await send()
    const { id } = await sav.webhooks.replays.start(as('default'), {})
    await clock.advance(1)
    await create(3)
    await send()
    await takeSteps(step)
    expect(await sav.webhooks.replays.get('default', id)).toMatchObject({ state: 'done', matched: 2, retried: 2 })
    expect(await counts()).toEqual({ pending: 2, delivered: 0, failed: 3 })
  })

  it('skips a delivery that is being attempted', async () => {
    const { sav, create, storage, clock, step } = await withReceivers()
    await create(3)
    const instant = (ms: number) => toInstant(clock.now() + ms)
    const [now, leasedUntil] = [instant(0), instant(15_000)]
    const due = (await storage.queue.due(now)).map((target) => ({ ...target, limit: 1 }))
    expect(await storage.queue.claim(due, { now, leasedUntil, token: 'held' })).toHaveLength(1)
    const { id } = await sav.webhooks.replays.start(as('default'), { state: 'pending' })
    await takeSteps(step)
    expect(await sav.webhooks.replays.get('default', id)).toMatchObject({ state: 'done', matched: 3, retried: 2 })
  })

  it('ignores deliveries to a removed endpoint', async () => {
    const { sav, endpoint_id, receiver, create, send, counts, step } = await withReceivers()
    receiver.status = 200
    await create(2)
    await send()
    await sav.webhooks.endpoints.remove(as('default'), endpoint_id)
    await sav.webhooks.endpoints.add(as('default'), { url, events: ['sav.created'] })
    await create(1)
    await send()
    const { id } = await sav.webhooks.replays.start(as('default'), { state: 'delivered' })
    await takeSteps(step)
    expect(await sav.webhooks.replays.get('default', id)).toMatchObject({ matched: 3, retried: 1 })
    expect(await counts()).toEqual({ pending: 1, delivered: 2, failed: 0 })
  })
})

describe('a cancelled replay', () => {
  it('stops, and the deliveries that it reopened stay pending', async () => {
    const { sav, create, send, counts, clock, step } = await withReceivers()
    await create(300)
    await send()
    const { id } = await sav.webhooks.replays.start(as('default'), {})
    await step()
    const cancelled = await sav.webhooks.replays.cancel(as('default'), id)
    expect(cancelled).toMatchObject({
      state: 'cancelled',
      retried: 200,
      ended_at: new Date(clock.now()).toISOString(),
    })
    expect(await takeSteps(step)).toBe(0)
    expect(await counts()).toEqual({ pending: 200, delivered: 0, failed: 100 })
    await clock.advance(1_000)
    expect(await sav.webhooks.replays.cancel(as('default'), id)).toEqual(cancelled)
  })
})

describe('the filters of a replay', () => {
  it('choose by state, endpoint and event, in the preview and in the replay', async () => {
    const { sav, actor, create, send, endpoint_id, receiver, step } = await withReceivers()
    const other = await sav.webhooks.endpoints.add(as('default'), {
      url: 'https://other.example/',
      events: ['sav.created'],
    })
    const [first = 0] = await create(2)
    await send()
    await sav.cases.close(actor, first, { resolution: 'Charnière remplacée.' })
    await send()
    receiver.status = 200
    await create(1)
    await send()

    for (const [input, matched] of [
      [{}, 5],
      [{ since: '2026-01-15' }, 5],
      [{ since: '2026-01-16' }, 0],
      [{ state: 'delivered' }, 2],
      [{ state: 'pending' }, 0],
      [{ endpoint_id }, 3],
      [{ endpoint_id: other.id }, 2],
      [{ endpoint_id: 'wh_none' }, 0],
      [{ event: 'sav.closed' }, 1],
      [{ event: 'sav.created', endpoint_id }, 2],
      [{ event: 'sav.closed', endpoint_id: other.id }, 0],
    ] as const) {
      expect(await sav.webhooks.replays.preview('default', input)).toEqual({ matched })
      const { id } = await sav.webhooks.replays.start(as('default'), input)
      await takeSteps(step)
      expect(await sav.webhooks.replays.get('default', id)).toMatchObject({ matched, retried: matched })
      const status = 'state' in input && input.state === 'delivered' ? 200 : 500
      receiver.status = status
      await send()
    }
  })

  it('include a local day from its first moment', async () => {
    const { sav } = await withReceivers()
    const { filter } = await sav.webhooks.replays.start(as('default'), { since: '2026-01-20' })
    expect(filter.since).toBe('2026-01-19T23:00:00.000Z')
  })

  it.each([
    ['state', { state: 'sent' }],
    ['since', { since: 'hier' }],
    ['since', { since: '2026-02-30' }],
    ['endpoint_id', { endpoint_id: 5 }],
    ['etat', { etat: 'failed' }],
  ])('are refused for %s: %j', async (field, input) => {
    const { sav } = await withReceivers()
    const sent = JSON.parse(JSON.stringify(input))
    const { preview, start } = sav.webhooks.replays
    expect(await badFields(preview('default', sent))).toEqual([field])
    expect(await badFields(start(as('default'), sent))).toEqual([field])
    expect((await sav.webhooks.replays.list('default', {})).items).toEqual([])
  })
})

describe('the replays of an account', () => {
  it('are listed newest first, at most 100, and run oldest first', async () => {
    const { sav, clock, create, send, step } = await withReceivers()
    await create(1)
    await send()
    const ids: string[] = []
    for (let count = 0; count < 101; count += 1) {
      ids.push((await sav.webhooks.replays.start(as('default'), {})).id)
      await clock.advance(1)
    }
    await step()
    const { items: listed } = await sav.webhooks.replays.list('default', {})
    expect(listed.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 100))
    expect(await sav.webhooks.replays.get('default', ids[0] ?? '')).toMatchObject({ state: 'done', retried: 1 })
    expect(listed.every(({ state }) => state === 'running')).toBe(true)
  })
})
