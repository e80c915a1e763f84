import { describe, expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import { accepting, house, writing } from '../../test/reporting.js'
import { fixedClock, httpAnswer } from '../testing/index.js'
import { createKeyWarnings } from './key-warnings.js'

describe('a notice to the account', () => {
  it('is sent when failures disable an endpoint', async () => {
    const email = accepting()
    const clock = fixedClock()
    const opened = await openSav({
      clock,
      reports: {
        renderer: writing().renderer,
        carriers: { email: email.carrier },
        checkUrl: () => null,
        timestamper: null,
      },
      http: { post: async () => httpAnswer(410), close: async () => {} },
    })
    const { sav, worker, account_id, actor, client } = opened
    await sav.accounts.update(as(account_id), { email: 'atelier@martin.example', raison_sociale: 'Cuisines Martin' })
    await sav.webhooks.endpoints.add(as(account_id), { url: 'https://gone.example/', events: ['sav.created'] })
    await sav.cases.create(actor, { client_id: client.id, description: 'La porte ne ferme plus.' })
    worker.start()
    await clock.advance(3_000)
    for (const minutes of [1, 2, 9, 54, 306]) {
      clock.set(clock.now() + minutes * 60_000)
      await clock.advance(3_000)
    }
    expect(email.letters).toEqual([
      expect.objectContaining({
        kind: 'notice',
        to: 'atelier@martin.example',
        societe: expect.objectContaining({ raison_sociale: 'Cuisines Martin' }),
        notice: {
          type: 'endpoint_disabled',
          url: 'https://gone.example/',
          reason: 'gone',
          date: expect.any(String),
        },
      }),
    ])
    await worker.stop()
  })

  it.each([
    ['30 days and a second', 30 * 86_400_000 + 1000, 0],
    ['30 days', 30 * 86_400_000, 1],
  ])('is written once for a key that expires in %s: %i ms, %i notices', async (_, leftMs, count) => {
    const { sav, storage, clock, account_id } = await house({})
    const expire = new Date(clock.now() + leftMs).toISOString()
    await sav.keys.create(as(account_id), { nom: 'caisse', permissions: ['sav:read'], expire })
    const notices: unknown[] = []
    const warn = createKeyWarnings({
      storage,
      clock,
      notify: async (_tx, _account, notice) => void notices.push(notice),
    })
    await warn()
    expect(notices).toHaveLength(count)
    for (const days of [1, 2]) {
      clock.set(clock.now() + days * 86_400_000)
      await warn()
      expect(notices).toEqual([{ type: 'key_expires', nom: 'caisse', date: expire }])
    }
  })

  it('is sent for a key that expires soon, once a worker runs', async () => {
    const email = accepting()
    const { sav, worker, clock, account_id } = await house({ email })
    await sav.accounts.update(as(account_id), { email: 'atelier@martin.example' })
    const expire = new Date(clock.now() + 86_400_000).toISOString()
    await sav.keys.create(as(account_id), { nom: 'caisse', permissions: ['sav:read'], expire })
    worker.start()
    await clock.advance(10_000)
    expect(email.letters).toEqual([
      expect.objectContaining({ notice: { type: 'key_expires', nom: 'caisse', date: expire } }),
    ])
    await worker.stop()
  })
})
