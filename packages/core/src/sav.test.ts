import { verify } from '@sav/webhook-verify'
import { describe, expect, it } from 'vitest'
import { as, openSav, recordingHttp, schedule } from '../test/open-sav.js'
import { httpAnswer } from './testing/index.js'

const description = 'La porte du meuble bas ne ferme plus.'
const url = 'https://receiver.example/hooks'

describe('the whole service', () => {
  it('takes a case from its creation to a webhook that its receiver verifies, without waiting for a poll', async () => {
    const { sav, worker, actor, client, clock, posted } = await openSav()
    const { secret } = await sav.webhooks.endpoints.add(as('default'), { url, events: ['sav.created'] })
    worker.start()
    await clock.advance(0)
    const { id, reference } = await sav.cases.create(actor, { client_id: client.id, description })
    await clock.advance(0)
    expect(posted).toHaveLength(1)
    const [request] = posted
    if (request === undefined) throw new Error('nothing was posted')
    expect(request.url).toBe(url)
    for (const scheme of [undefined, 'specification'] as const) {
      const event = await verify(Buffer.from(request.body), request.headers, secret, {
        now: () => clock.now(),
        ...(scheme && { scheme }),
      })
      expect(event).toMatchObject({ event: 'sav.created', data: { id, reference } })
    }
    expect((await sav.webhooks.deliveries.list('default', {})).items).toMatchObject([
      { state: 'delivered', last_status: 200 },
    ])
  })

  it('keeps trying a receiver that is down, on the schedule, with the same id and the same body', async () => {
    const { http, posted } = recordingHttp(() => httpAnswer(503))
    const { sav, worker, actor, client, clock } = await openSav({ http })
    await sav.webhooks.endpoints.add(as('default'), { url, events: ['sav.created'] })
    worker.start()
    const createdAt = clock.now()
    await sav.cases.create(actor, { client_id: client.id, description })
    for (const offset of schedule) {
      clock.set(createdAt + offset)
      await clock.advance(500)
    }
    expect(posted).toHaveLength(6)
    expect(new Set(posted.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(posted.map(({ body }) => body)).size).toBe(1)
    expect(new Set(posted.map(({ headers }) => headers['X-Webhook-Timestamp'])).size).toBe(6)
  })

  it('delivers events from while its worker was stopped', async () => {
    const { sav, worker, actor, client, clock, posted } = await openSav()
    await sav.webhooks.endpoints.add(as('default'), { url, events: ['sav.created'] })
    for (let count = 0; count < 5; count += 1) await sav.cases.create(actor, { client_id: client.id, description })
    await clock.advance(60_000)
    expect(posted).toEqual([])
    worker.start()
    await clock.advance(500)
    expect(posted).toHaveLength(5)
    await worker.stop()
  })

  it('works inside a transaction of the caller’s own, on the storage that is handed in', async () => {
    const [here, there] = [await openSav(), await openSav()]
    const inside = here.sav.inTransaction(there.storage)
    const { id } = await inside.cases.create(there.actor, { client_id: there.client.id, description })
    expect(await there.sav.cases.get('default', id)).toMatchObject({ description })
    expect(await here.sav.cases.list('default', {})).toMatchObject({ total: 0 })
  })
})
