import { createSav } from '@sav/http-node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../test/postgres.js'
import { openPostgres } from './postgres.js'
import { openSqlite } from './sqlite.js'

const actor = { account_id: 'default', type: 'cle', id: 'key_1', nom: 'Caisse' } as const

describe.each([
  ['SQLite', () => openSqlite(':memory:')],
  [
    'PostgreSQL',
    async () => {
      const database = await freshDatabase()
      onTestFinished(() => database[Symbol.asyncDispose]())
      return openPostgres(database.url)
    },
  ],
])('a call before migrate() on %s', (_, open) => {
  it('says what to do, and works afterwards', async () => {
    const storage = await open()
    const sav = createSav({ storage, secretKey: new Uint8Array(32) })
    const calls = {
      ready: () => sav.ready(),
      'accounts.list': () => sav.accounts.list(),
      'accounts.add': () => sav.accounts.add(actor, 'default'),
      'clients.add': () => sav.directory.clients.add(actor, { nom: 'Lefèvre', prenom: 'Zoé' }),
      'cases.list': () => sav.cases.list('default', {}),
      'keys.create': () => sav.keys.create(actor, { nom: 'Caisse', permissions: ['sav:read'] }),
      'endpoints.list': () => sav.webhooks.endpoints.list('default'),
      'evidence.verify': () => sav.evidence.verify('default'),
      off: () => sav.off('crm'),
      waitingLetters: () => storage.waitingLetters(),
    }
    for (const [name, call] of Object.entries(calls))
      await expect(call(), name).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/The store lacks migrations \(.+\): call storage\.migrate\(\) first/),
      })
    await storage.migrate()
    for (const [name, call] of Object.entries(calls))
      if (name !== 'ready')
        await expect(
          call().then(() => name),
          name,
        ).resolves.toBe(name)
    await sav.close()
    await storage.close()
  })
})
