import { readiness } from '@sav/core/adapter'
import { fixedClock, seededRandom } from '@sav/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../test/postgres.js'
import { createUseCases, openPostgres, openSqlite } from '../../../test/whole/opening.js'

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
  it('is refused with a message that names migrate(), and works after it', async () => {
    const storage = await open()
    const clock = fixedClock()
    const sav = createUseCases({ storage, clock, random: seededRandom(1), secretKey: new Uint8Array(32) })
    const calls = {
      ready: readiness({ storage, clock, worker: null, timeoutMs: 5000 }),
      'accounts.list': () => sav.accounts.list(),
      'accounts.add': () => sav.accounts.add(actor, 'default'),
      'clients.add': () => sav.directory.clients.add(actor, { nom: 'Lefèvre', prenom: 'Zoé' }),
      'cases.list': () => sav.cases.list('default', {}),
      'keys.create': () => sav.keys.create(actor, { nom: 'Caisse', permissions: ['sav:read'] }),
      'endpoints.list': () => sav.webhooks.endpoints.list('default'),
      'evidence.verify': () => sav.evidence.verify('default'),
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
    await storage.close()
  })
})
