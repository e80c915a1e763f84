import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../../test/postgres.js'
import { newFile } from '../../test/files.js'
import { migrationNames } from '../../test/migration-names.js'
import type { Dialect } from '../dialect.js'
import type { OpenedStorage } from '../opened-storage.js'
import { postgresDialect } from '../postgres/dialect.js'
import { openPostgres } from '../postgres.js'
import { sqliteDialect } from '../sqlite/dialect.js'
import { openSqlite } from '../sqlite.js'
import { migrations } from './list.js'

interface Opened {
  readonly storage: OpenedStorage
  readonly dialect: Dialect
}

const databases: [string, () => Promise<Opened>][] = [
  [
    'SQLite',
    async () => {
      const storage = await openSqlite(newFile())
      onTestFinished(() => storage.close())
      return { storage, dialect: sqliteDialect }
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
      return { storage, dialect: postgresDialect({ schema: null }) }
    },
  ],
]

/** What releases did that kept their migrations under Kysely's default names, and took unknown ones for a later release's. */
function earlierRelease({ storage, dialect }: Opened) {
  const migratorOn = <DB>(db: Kysely<DB>) =>
    new Migrator({
      db,
      provider: {
        async getMigrations() {
          const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
          if (!tables.some(({ name }) => name === 'kysely_migration')) return migrations(dialect, sql.id)
          const executed = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
          const newer = Object.fromEntries(executed.rows.map(({ name }) => [name, { up: async () => {} }]))
          return { ...newer, ...migrations(dialect, sql.id) }
        },
      },
    })
  return {
    /** Up to and with `last`, or all. */
    async migrate(last?: string) {
      return storage.db.transaction().execute(async (trx) => {
        const migrator = migratorOn(trx)
        const { error, results = [] } = await (last === undefined
          ? migrator.migrateToLatest()
          : migrator.migrateTo(last))
        if (error !== undefined) throw error
        return results.map(({ migrationName }) => migrationName)
      })
    },
    async pendingMigrations() {
      const known = await migratorOn(storage.db).getMigrations()
      return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
    },
  }
}

const noted = async ({ storage: { db } }: Opened, table: string) => {
  const { rows } = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from ${sql.id(table)} order by name`.execute(db)
  return rows
}

for (const [database, open] of databases)
  describe(`a store of an earlier release, on ${database}`, () => {
    it('is up to date as it is, and carried over with what it holds when it is migrated', async () => {
      const opened = await open()
      const earlier = earlierRelease(opened)
      const all = await earlier.migrate()
      await opened.storage.transaction((tx) => tx.facts.set('secret_key_id', 'k1'))
      const before = await noted(opened, 'kysely_migration')

      expect(await opened.storage.pendingMigrations()).toEqual([])
      expect(await opened.storage.migrate()).toEqual([])
      expect(await noted(opened, 'sav_migration')).toEqual(before)
      expect(before.map(({ name }) => name)).toEqual(all)
      expect(await opened.storage.pendingMigrations()).toEqual([])
      expect(await opened.storage.migrate()).toEqual([])
      expect(await opened.storage.reads.facts.get('secret_key_id')).toBe('k1')
    })

    it('is refused by that release from then on, with a sentence', async () => {
      const opened = await open()
      const earlier = earlierRelease(opened)
      const all = await earlier.migrate()
      await opened.storage.migrate()
      expect(await earlier.pendingMigrations()).toEqual(all)
      await expect(earlier.migrate()).rejects.toThrow(
        'corrupted migrations: previously executed migration sav: the store belongs to a newer release, which keeps ' +
          'its migrations in sav_migration has an invalid timestamp (open it with that release; a team whose own ' +
          'migrations are to use this table may delete this one row of it)',
      )
      expect(await opened.storage.migrate()).toEqual([])
    })

    it('that has but the first migrations gets the others', async () => {
      const opened = await open()
      const first = await earlierRelease(opened).migrate('0006-search')
      const others = migrationNames.slice(first.length)
      expect(others).toContain('0007-case-filters')
      expect(await opened.storage.pendingMigrations()).toEqual(others)
      const { db } = opened.storage
      await sql`insert into accounts (id, created_at) values ('default', '2026-01-01T00:00:00.000Z')`.execute(db)
      await sql`insert into webhook_endpoints (account_id, id, url, events, sealed_secret, sealed_previous_secret,
          previous_expires_at, created_at, updated_at)
        values ('default', 'wh_1', 'https://receiver.example/', '[]', 'v1.new', 'v1.k.i.old', '2026-01-02T00:00:00.000Z',
          '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`.execute(db)
      expect(await opened.storage.migrate()).toEqual(others)
      expect((await noted(opened, 'sav_migration')).map(({ name }) => name)).toEqual(migrationNames)
      // A rotation that overlaps goes on.
      expect((await opened.storage.reads.endpoints.find('default', 'wh_1'))?.previous_secrets).toEqual([
        { sealed: 'v1.k.i.old', expires_at: '2026-01-02T00:00:00.000Z' },
      ])
    })

    it('beside a team’s own migrations in the same table leaves those, and that table, to the team', async () => {
      const opened = await open()
      await earlierRelease(opened).migrate()
      const theirs = { name: '2025-03-first-tables', timestamp: '2025-03-01T09:12:44.120Z' }
      await sql`insert into kysely_migration values (${theirs.name}, ${theirs.timestamp})`.execute(opened.storage.db)
      expect(await opened.storage.migrate()).toEqual([])
      expect(await noted(opened, 'kysely_migration')).toEqual([theirs])
      const migrator = new Migrator({
        db: opened.storage.db,
        provider: { getMigrations: async () => ({ [theirs.name]: { up: async () => {} } }) },
      })
      expect(await migrator.migrateToLatest()).toEqual({ results: [] })
      await expect(earlierRelease(opened).migrate()).rejects.toThrow(
        'corrupted migrations: expected previously executed migration 2025-03-first-tables to be at index 0',
      )
    })
  })

for (const [database, open] of databases)
  it(`a team’s own table of migrations is none of ours, on ${database}`, async () => {
    const opened = await open()
    await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
      opened.storage.db,
    )
    const theirs = { name: '0001-foundation', timestamp: '2025-03-01T09:12:44.120Z' }
    await sql`insert into kysely_migration values (${theirs.name}, ${theirs.timestamp})`.execute(opened.storage.db)
    expect(await opened.storage.migrate()).toEqual(migrationNames)
    expect(await noted(opened, 'kysely_migration')).toEqual([theirs])
  })
