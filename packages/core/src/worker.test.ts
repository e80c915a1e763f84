import { describe, expect, it } from 'vitest'
import { type OpenSavOptions, openSav, recordingHttp } from '../test/open-sav.js'
import type { AttemptOutcome } from './delivery/delivery-queue.js'
import { httpAnswer, recordingChannel } from './testing/index.js'
import type { WorkerEvent } from './worker.js'

/** A service with a running worker and one endpoint. `leave` adds a delivery for another channel. */
async function working(options: OpenSavOptions = {}) {
  const opened = await openSav(options)
  const { sav, worker, storage, clock, actor, client } = opened
  await sav.webhooks.endpoints.add(actor, { url: 'https://receiver.example/', events: ['sav.created'] })
  worker.start()
  await clock.advance(0)
  const create = () => sav.cases.create(actor, { client_id: client.id, description: 'La porte ne ferme plus.' })
  const leave = (channel: string, target: string) =>
    storage.transaction((tx) =>
      tx.outbox.add({
        id: `evt_${channel}`,
        account_id: 'default',
        event: 'sav.created',
        body: '{}',
        created_at: new Date(clock.now()).toISOString(),
        deliveries: [{ id: `dlv_${channel}`, channel, target }],
      }),
    )
  return { ...opened, create, leave }
}

describe('a worker', () => {
  it('sends deliveries by a channel of the host, and leaves those of unknown channels', async () => {
    const pigeon = recordingChannel()
    const { leave, clock, storage, worker } = await working({ channels: { pigeon } })
    await leave('pigeon', 'loft 3')
    await leave('email', 'zoe@martin.example')
    await clock.advance(500)
    expect(pigeon.sent.map(({ delivery }) => delivery.target)).toEqual(['loft 3'])
    expect(await storage.queue.counts()).toEqual({ pending: 1, delivered: 1, failed: 0 })
    await worker.stop()
  })

  it('calls onRecorded with every recorded outcome, of each channel', async () => {
    const recorded: AttemptOutcome[] = []
    const { create, leave, clock, worker } = await working({
      channels: { pigeon: recordingChannel([httpAnswer(500)]) },
      onRecorded: async (outcomes) => void recorded.push(...outcomes),
    })
    await create()
    await leave('pigeon', 'loft 3')
    await clock.advance(500)
    expect(recorded.map(({ delivery, update }) => [delivery.channel, update.state]).toSorted()).toEqual([
      ['pigeon', 'pending'],
      ['webhook', 'delivered'],
    ])
    await worker.stop()
  })

  it('reports an error of onRecorded, and sends nothing again', async () => {
    const { http, posted } = recordingHttp()
    const told: WorkerEvent[] = []
    const failure = new Error('no ink')
    const { create, clock, storage, worker } = await working({
      http,
      onRecorded: () => Promise.reject(failure),
      observe: (event) => told.push(event),
    })
    await create()
    await clock.advance(60_000)
    expect(told.filter(({ type }) => type === 'fault')).toEqual([{ type: 'fault', doing: 'follow_up', error: failure }])
    expect(posted).toHaveLength(1)
    expect(await storage.queue.counts()).toEqual({ pending: 0, delivered: 1, failed: 0 })
    await create()
    await clock.advance(500)
    expect(posted).toHaveLength(2)
    expect(told.filter(({ type }) => type === 'fault')).toHaveLength(2)
    await worker.stop()
  })

  it('runs a job of the host beside its own, until it is stopped', async () => {
    let runs = 0
    const run = async () => {
      runs += 1
    }
    const { clock, worker } = await working({ jobs: [{ name: 'count', everyMs: 10_000, run }] })
    await clock.advance(1_000)
    expect(runs).toBe(1)
    await clock.advance(20_000)
    expect(runs).toBe(3)
    await worker.stop()
    await clock.advance(60_000)
    expect(runs).toBe(3)
  })

  it('is not woken by commits after it stopped', async () => {
    const { http, posted } = recordingHttp()
    const { create, clock, worker, storage } = await working({ http })
    await worker.stop()
    await create()
    await clock.advance(60_000)
    expect(posted).toEqual([])
    expect(await storage.queue.counts()).toMatchObject({ pending: 1 })
  })
})
