import { describe, expect, it } from 'vitest'
import { as } from '../../test/open-sav.js'
import { accepting, house } from '../../test/reporting.js'
import { seededRandom } from '../testing/index.js'
import { idMaker } from '../values/ids.js'
import { createKeyWarnings } from './key-warnings.js'
import { createNotify } from './notices.js'

describe('a notice to the account', () => {
  it('is sent to its e-mail address, in its name', async () => {
    const email = accepting()
    const { sav, worker, storage, clock, account_id, work } = await house({ email })
    await sav.accounts.update(as(account_id), { email: 'atelier@martin.example', raison_sociale: 'Cuisines Martin' })
    const notify = createNotify({ clock, newId: idMaker(clock, seededRandom(2)), byEmail: true })
    const date = new Date(clock.now()).toISOString()
    const notice = { type: 'endpoint_disabled', url: 'https://gone.example/', reason: 'gone', date } as const
    await storage.transaction((tx) => notify(tx, account_id, notice))
    await work()
    const societe = { raison_sociale: 'Cuisines Martin' }
    expect(email.letters).toMatchObject([{ kind: 'notice', to: 'atelier@martin.example', societe, notice }])
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
