import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Actor } from '@sav/core'
import type { Storage } from '@sav/core/ports'
import { fixedClock } from '@sav/core/testing'
import { describe, expect, it } from 'vitest'
import { createUseCases, type WholeSav } from '../../../test/whole/opening.js'
import { rdvPageStore } from '../../planning/src/customers/rdv-page-store.js'
import { openSomewhere } from '../test/databases.js'
import { type Administrator, postgresAdministrator, sqliteAdministrator } from '../test/falsifying.js'
import { newFile, openMigrated } from '../test/files.js'
import { tables } from './tables/tables.js'

const rounds = process.env['SAV_TEST_CHAOS'] === '1' ? 200 : 20
const actor: Actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' }
const word = 'Zanzibarov'

const stores: readonly (readonly [string, () => Promise<{ storage: Storage; admin: Administrator }>])[] = [
  [
    'a SQLite file',
    async () => {
      const file = newFile()
      return { storage: await openMigrated(file), admin: sqliteAdministrator(file) }
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const { storage, url } = await openSomewhere()
      return { storage, admin: await postgresAdministrator(url) }
    },
  ],
]

async function shopOn(storage: Storage) {
  const clock = fixedClock()
  const sav = createUseCases({
    ...{ storage, clock, random: randomBytes, secretKey: new Uint8Array(32) },
    ...{ timeZone: 'Europe/Paris', receivers: { allowLocal: false } },
  })
  await sav.accounts.add(actor, 'default')
  const poseur = await sav.directory.poseurs.add(actor, { nom: 'Karim Benali' })
  let hours = 0

  /** A visit that is to come, and the secret of the page where its customer answers. */
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

/** Everything that somebody may be writing about a client at the moment of an erasure. */
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

describe.each(stores)('an erasure on %s', (_, open) => {
  it('leaves no text, whatever is written about the person at the same moment', { timeout: 600_000 }, async () => {
    const { storage, admin } = await open()
    const { sav, visitTo } = await shopOn(storage)
    let refused = 0
    for (let round = 0; round < rounds; round += 1) {
      const client = { nom: word, prenom: 'Zoé', lieu: { ligne1: `Quai ${word}` } }
      const { id } = await sav.directory.clients.add(actor, client)
      const writes = await writesAbout(sav, visitTo, id)
      // The erasure begins among the writes, and each of them at another moment of it in each round.
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
    await admin.end()
    await storage.close()
  })
})
