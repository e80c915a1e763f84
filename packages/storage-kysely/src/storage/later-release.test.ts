import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../../test/postgres.js'
import { newFile } from '../../test/files.js'
import { openPostgres } from '../postgres.js'
import { openSqlite } from '../sqlite.js'
import type { OpenedStorage } from './opened-storage.js'

const databases: [string, () => Promise<OpenedStorage>][] = [
  [
    'SQLite',
    async () => {
      const storage = await openSqlite(newFile())
      onTestFinished(() => storage.close())
      return storage
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const database = await freshDatabase()
      const storage = await openPostgres(database.url)
      onTestFinished(async () => {
        await storage.close()
        await database[Symbol.asyncDispose]()
      })
      return storage
    },
  ],
]

/** As a later release leaves it, which has a migration of that name. */
async function migrateByLaterRelease({ db }: OpenedStorage, name: string) {
  await sql`alter table facts add column ${sql.id(`of_${name}`)} text`.execute(db)
  await sql`insert into sav_migration (name, timestamp) values (${name}, '2036-01-01T00:00:00.000Z')`.execute(db)
}

for (const [database, open] of databases)
  describe(`a store that a later release migrated, on ${database}`, () => {
    it('is this release’s as well where that release only adds', async () => {
      const storage = await open()
      await storage.migrate()
      await migrateByLaterRelease(storage, '9001-adds-or-breaks-nothing')

      expect(await storage.newerMigrations()).toEqual([])
      expect(await storage.pendingMigrations()).toEqual([])
      expect(await storage.migrate()).toEqual([])
      await storage.transaction((tx) => tx.facts.set('written', 'by the release before'))
      expect(await storage.reads.facts.get('written')).toBe('by the release before')
    })

    it('is not where that release breaks it, and names what is missed here', async () => {
      const storage = await open()
      await storage.migrate()
      await migrateByLaterRelease(storage, '9001-adds')
      await migrateByLaterRelease(storage, '9002-breaks-facts')
      expect(await storage.newerMigrations()).toEqual(['9002-breaks-facts'])
      // This release's own look at it does not forget that.
      expect(await storage.migrate()).toEqual([])
      expect(await storage.newerMigrations()).toEqual(['9002-breaks-facts'])
    })
  })
