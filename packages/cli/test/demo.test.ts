import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { eventKinds } from '@sav/webhook-verify'
import { describe, expect, it } from 'vitest'
import { receiver } from './receiver.js'
import { call, local, workplace } from './workplace.js'

interface DemoOutput {
  readonly key: string
  readonly rdv: readonly { readonly debut: string }[]
  readonly terrain: { readonly date: string }
  readonly webhook: { readonly id: string; readonly url: string; readonly secret: string } | null
}

describe('sav demo', () => {
  it('prints a working key and a working webhook, the same ones each time', async () => {
    const shop = await workplace()
    await shop.json('init')
    const atelier = await receiver()
    const first = await shop.json<DemoOutput>('demo --receiver http://127.0.0.1:1/hook', local)
    expect(first).toMatchObject({
      account: 'default',
      clients: { length: 7 },
      poseurs: { length: 2 },
      cases: { length: 3 },
      rdv: { length: 5 },
      mois: { cases: 16, rdv: 14 },
      terrain: { id: expect.stringMatching(/^usr_/), date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), rdv: 6 },
    })
    const second = await shop.json<DemoOutput>(['demo', '--receiver', atelier.url], local)
    expect(second).toEqual({ ...first, webhook: { ...first.webhook, url: atelier.url } })
    expect((await stat(join(shop.dir, 'sav-data/demo.json'))).mode & 0o777).toBe(0o600)

    atelier.trust(second.webhook?.secret ?? '')
    const { url } = await shop.serveHere()
    // The demo's own events: eight cases opened, one assigned, one status changed, eleven visits, four confirmations.
    expect(await atelier.received(25)).toMatchObject({ length: 25 })
    expect(await call(url, second.key, 'GET', '/api/v1/sav')).toMatchObject({ body: { pagination: { total: 24 } } })
    // The visits are in the current week, or, on a weekend, also on the following Monday.
    const days = [...second.rdv.map(({ debut }) => debut.slice(0, 10)), second.terrain.date].toSorted()
    const planned = `/v1/planning?du=${days.at(0)}&au=${days.at(-1)}`
    expect(await call(url, second.key, 'GET', planned)).toMatchObject({ body: { pagination: { total: 11 } } })
    const closed = await call(url, second.key, 'GET', '/api/v1/sav?statut=clos')
    expect(closed).toMatchObject({ body: { pagination: { total: 10 } } })
    const week = await shop.sav('planning week')
    expect(week.stdout).toMatch(/Karim Benali \(1\)\n +✓ 08:00–09:30/)
  })

  it('needs no receiver, and adds a webhook only if --receiver names one', async () => {
    const shop = await workplace()
    await shop.json('init')
    const first = await shop.json<DemoOutput>('demo')
    expect([first.webhook, await shop.json('webhooks list')]).toEqual([null, []])
    expect(await shop.json('demo')).toEqual(first)
    expect((await shop.sav('demo')).stdout).not.toMatch(/^(Webhook|Secret)/m)
    const url = 'https://example.com/hook'
    const second = await shop.json<DemoOutput>(['demo', '--receiver', url])
    expect(second).toMatchObject({ key: first.key, webhook: { url } })
    expect(await shop.json('webhooks list')).toMatchObject([{ url, events: eventKinds }])
    expect(await shop.json('demo')).toEqual(second)
  })

  it('asks at a terminal before it adds to the cases of a shop', async () => {
    const shop = await workplace()
    await shop.json('init')
    await shop.json('clients add --nom Durand --prenom Hélène')
    await shop.newCase()
    const asked: string[] = []
    const ask = async (question: string) => {
      asked.push(question)
      return false
    }
    await shop.fails('demo', 1, 'Nothing was done.\n', {}, { ask })
    expect(asked).toEqual(['The store has 1 case already. Add invented ones as well?'])
    expect(await shop.json('cases list')).toHaveLength(1)
    const first = await shop.json('demo')
    expect(JSON.parse((await shop.sav('demo --json', {}, { ask })).stdout)).toEqual(first)
    expect(asked).toHaveLength(1)
  })

  it('makes a new key if the old one no longer works', async () => {
    const shop = await workplace()
    await shop.json('init')
    const first = await shop.json<DemoOutput>('demo --receiver https://example.com/hook')
    const [{ id } = { id: '' }] = await shop.json<{ id: string }[]>('keys list')
    await shop.json(['keys', 'revoke', id, '--yes'])
    const second = await shop.json<DemoOutput>('demo --receiver https://example.com/hook')
    expect(second.key).not.toBe(first.key)
    await shop.write('sav-data/demo.json', '{}')
    expect((await shop.json<DemoOutput>('demo --receiver https://example.com/hook')).key).not.toBe(second.key)
  })
})
