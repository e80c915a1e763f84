import { verify } from '@sav/webhook-verify'
import { describe, expect, it } from 'vitest'
import { as, openSav } from '../test/open-sav.js'

const description = 'La porte du meuble bas ne ferme plus.'
const url = 'https://receiver.example/hooks'

describe('the whole service', () => {
  it('sends a webhook that its receiver verifies right after a case is created', async () => {
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

  it('works inside the caller’s own transaction, on the given storage', async () => {
    const [here, there] = [await openSav(), await openSav()]
    const inside = here.sav.inTransaction(there.storage)
    const { id } = await inside.cases.create(there.actor, { client_id: there.client.id, description })
    expect(await there.sav.cases.get('default', id)).toMatchObject({ description })
    expect(await here.sav.cases.list('default', {})).toMatchObject({ total: 0 })
  })
})
