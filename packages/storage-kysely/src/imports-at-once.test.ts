import { randomBytes } from 'node:crypto'
import { type Actor, createUseCases } from '@sav/core'
import { fixedClock } from '@sav/core/testing'
import { describe, expect, it } from 'vitest'
import { openSomewhere } from '../test/databases.js'
import { newFile, openMigrated } from '../test/files.js'

const actor: Actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' }

describe.each([
  ['a SQLite file', () => openMigrated(newFile())],
  ['PostgreSQL', async () => (await openSomewhere()).storage],
] as const)('imports at once into %s', (_, open) => {
  it('bring every client once', async () => {
    const storage = await open()
    const sav = createUseCases({
      ...{ storage, clock: fixedClock(), random: randomBytes, secretKey: new Uint8Array(32) },
      ...{ timeZone: 'Europe/Paris', receivers: { allowLocal: false } },
    })
    await sav.accounts.add(actor, 'default')
    const rows = Array.from({ length: 40 }, (_, n) => ({ id_externe: `T${n}`, nom: `Durand ${n}` }))
    const runs = await Promise.all([1, 2, 3].map(() => sav.imports.rows(actor, { type: 'clients', rows })))
    const outcomes = runs.flat().map(({ outcome }) => outcome)
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(40)
    expect(outcomes.filter((outcome) => outcome === 'unchanged')).toHaveLength(80)
    expect((await sav.directory.clients.list('default', {})).total).toBe(40)
    await storage.close()
  })
})
