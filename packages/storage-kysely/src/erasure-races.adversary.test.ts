import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Storage } from '@sav/core/ports'
import { fixedClock } from '@sav/core/testing'
import { describe, expect, it } from 'vitest'
import type { WholeSav } from '../../../test/whole/opening.js'
import { rdvPageStore } from '../../planning/src/customers/rdv-page-store.js'
import { administeredStores } from '../test/houses.js'
import { actor, serviceOn } from '../test/shop.js'
import { tables } from './tables/tables.js'

const rounds = process.env['SAV_TEST_CHAOS'] === '1' ? 200 : 20
const word = 'Zanzibarov'

async function shopOn(storage: Storage) {
  const clock = fixedClock()
  const sav = serviceOn(storage, clock)
  await sav.accounts.add(actor, 'default')
  const poseur = await sav.directory.poseurs.add(actor, { nom: 'Karim Benali' })
  let hours = 0

  /** Books a future visit, and creates its page for the customer. Resolves to the visit's id and the page's secret. */
  async function visitTo(client_id: number, lieu: { ligne1: string } | null) {
    hours += 1
    const debut = new Date(clock.now() + (48 + hours) * 3_600_000).toISOString()
    const rdv = await sav.planning.book(actor, { poseur_id: poseur.id, debut, duree_minutes: 30, client_id, lieu })
    const secret = `sav_rdv_${randomBytes(32).toString('base64url')}`
    const hash = createHash('sha256').update(secret).digest('hex')
    await storage.transaction((tx) => tx.of(rdvPageStore).add({ hash, account_id: 'default', rdv_id: rdv.id }))
    return { id: rdv.id, secret }
  }
  return { sav, visitTo }
}

/** Everything that may be written about a client during an erasure. */
async function writesAbout(sav: WholeSav, visitTo: Awaited<ReturnType<typeof shopOn>>['visitTo'], client_id: number) {
  const description = `La porte de ${word} coince.`
  const noted = await sav.cases.create(actor, { client_id, description })
  const closing = await sav.cases.create(actor, { client_id, description })
  const [atHome, elsewhere] = [await visitTo(client_id, null), await visitTo(client_id, { ligne1: `Chez ${word}` })]
  const acces = { action: 'acces', acces: `Sonner chez ${word}` } as const
  const writes: (() => Promise<unknown>)[] = [
    () => sav.rdvPages.answer(atHome.secret, acces),
    () => sav.rdvPages.answer(elsewhere.secret, acces),
    () => sav.cases.update(actor, noted.id, { notes_internes: `Rappeler ${word}.` }),
    () => sav.cases.close(actor, closing.id, { resolution: `Réglée avec ${word}.` }),
    () => sav.cases.create(actor, { client_id, description }),
    () => sav.planning.change(actor, elsewhere.id, { notes: `${word} est sourd` }),
    () => sav.directory.clients.update(actor, client_id, { adresse: `1 rue ${word}` }),
  ]
  return writes
}

describe.each(administeredStores)('an erasure on %s', (_, open) => {
  it('leaves no text about the person, whatever else is written at the same time', { timeout: 600_000 }, async () => {
    const { storage, admin, close } = await open()
    const { sav, visitTo } = await shopOn(storage)
    let refused = 0
    for (let round = 0; round < rounds; round += 1) {
      const client = { nom: word, prenom: 'Zoé', lieu: { ligne1: `Quai ${word}` } }
      const { id } = await sav.directory.clients.add(actor, client)
      const writes = await writesAbout(sav, visitTo, id)
      // In each round, each write begins at another moment of the erasure.
      const begun = writes.map((write, at) => setTimeout((round * (at + 3)) % 41).then(write))
      begun.push(setTimeout(round % 5).then(() => sav.directory.clients.erase(actor, id)))
      for (const ended of await Promise.allSettled(begun)) {
        if (ended.status === 'fulfilled') continue
        refused += 1
        expect(ended.reason).toMatchObject({ code: expect.stringMatching(/^(client_erased|not_found)$/) })
      }
    }
    expect(refused).toBeGreaterThan(0)
    const left: string[] = []
    for (const table of Object.keys(tables))
      for (const row of await admin.rows(table))
        if (JSON.stringify(row).includes(word)) left.push(`${table}: ${JSON.stringify(row)}`)
    expect(left).toEqual([])
    expect(await sav.evidence.verify('default')).toMatchObject({ broken: [] })
    await close()
  })
})
