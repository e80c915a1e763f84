import { describe, expect, it } from 'vitest'
import { beginImport } from '../../moving/src/run.js'
import { openSomewhere } from '../test/databases.js'
import { newFile, openMigrated } from '../test/files.js'
import { actor, png, serviceOn } from '../test/shop.js'

const stores = [
  ['a SQLite file', () => openMigrated(newFile())],
  ['PostgreSQL', async () => (await openSomewhere()).storage],
] as const

async function shopOn(open: (typeof stores)[number][1]) {
  const storage = await open()
  const sav = serviceOn(storage)
  await sav.accounts.add(actor, 'default')
  return { storage, sav }
}

describe.each(stores)('imports into %s', (_, open) => {
  it('that run at the same time add every client only once', async () => {
    const { storage, sav } = await shopOn(open)
    const rows = Array.from({ length: 40 }, (_, n) => ({ id_externe: `T${n}`, nom: `Durand ${n}` }))
    const runs = await Promise.all([1, 2, 3].map(() => sav.imports.rows(actor, { type: 'clients', rows })))
    const outcomes = runs.flat().map(({ outcome }) => outcome)
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(40)
    expect(outcomes.filter((outcome) => outcome === 'unchanged')).toHaveLength(80)
    expect((await sav.directory.clients.list('default', {})).total).toBe(40)
    await storage.close()
  })

  it('that are only tried leave no rows, and use up no number', async () => {
    const { storage, sav } = await shopOn(open)
    const client = { id_externe: 'T1', nom: 'Durand' }
    const dossier = { client_id_externe: 'T1', description: 'Grince.', date_creation: '2024-01-02', photos: [png] }
    const run = beginImport()
    const outcomes = [
      ...(await sav.imports.tried(actor, { type: 'clients', rows: [client], run })),
      ...(await sav.imports.tried(actor, { type: 'cases', rows: [dossier], run })),
    ]
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['created', 'created'])
    expect((await sav.directory.clients.list('default', {})).total).toBe(0)
    await sav.imports.rows(actor, { type: 'clients', rows: [client] })
    await sav.imports.rows(actor, { type: 'cases', rows: [dossier] })
    expect((await sav.cases.list('default', {})).items).toMatchObject([{ reference: 'SAV-2024-00001' }])
    await storage.close()
  })
})
