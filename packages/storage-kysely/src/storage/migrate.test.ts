import { type Kysely, type RawBuilder, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../../test/postgres.js'
import { newFile } from '../../test/files.js'
import { migrationNames } from '../../test/migration-names.js'
import { migrations } from '../migrations/list.gen.js'
import { postgresDialect } from '../postgres/dialect.js'
import { openPostgres } from '../postgres.js'
import { sqliteDialect } from '../sqlite/dialect.js'
import { openSqlite } from '../sqlite.js'
import type { Dialect } from '../statements/dialect.js'
import type { Schema } from '../tables/tables.js'
import type { OpenedStorage } from './opened-storage.js'

interface OpenDatabase {
  readonly storage: OpenedStorage
  readonly dialect: Dialect
}

const databases: [string, () => Promise<OpenDatabase>][] = [
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
function earlierRelease({ storage, dialect }: OpenDatabase) {
  const migratorOn = (db: Kysely<Schema>) =>
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

const noted = async ({ storage: { db } }: OpenDatabase, table: string) => {
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

    it('goes on with the addresses of its calendars, which are the account’s until they are renewed', async () => {
      const opened = await open()
      const { storage } = opened
      await earlierRelease(opened).migrate('0022-words-afterwards')
      const date_creation = '2026-01-01T00:00:00.000Z'
      const [whole, one] = ['a'.repeat(64), 'b'.repeat(64)]
      await sql`insert into accounts (id, created_at) values ('default', ${date_creation})`.execute(storage.db)
      await sql`insert into calendriers (account_id, cible, hash, date_creation)
        values ('default', 0, ${whole}, ${date_creation}), ('default', 7, ${one}, ${date_creation})`.execute(storage.db)
      await storage.migrate()

      const { calendars } = storage.reads
      const proprietaire = { type: 'anterieur', id: null } as const
      const kept = [
        { account_id: 'default', poseur_id: null, proprietaire, hash: whole, date_creation },
        { account_id: 'default', poseur_id: 7, proprietaire, hash: one, date_creation },
      ]
      expect(await calendars.list('default')).toEqual(kept)
      expect(await calendars.findByHash(one)).toEqual(kept[1])
    })

    it('goes on with what was in flight: what waits, what is being attempted and what failed', async () => {
      const opened = await open()
      const { storage } = opened
      await earlierRelease(opened).migrate('0016-subscriptions')
      const at = (second: number) => `2026-01-15T10:30:${String(second).padStart(2, '0')}.000Z`
      await sql`insert into accounts (id, created_at) values ('default', ${at(0)})`.execute(storage.db)
      const row = (id: string, state: string, rest: RawBuilder<unknown>) => sql`
        insert into deliveries (account_id, id, event_id, event, channel, target, state, created_at, lane, attempt_count,
          run_attempt_count, run_started_at, next_attempt_at, available_at, lease_token, last_status, last_error)
        values ('default', ${id}, ${`evt_${id}`}, 'sav.created', 'webhook', 'wh_1', ${state}, ${at(0)}, ${rest})`
      for (const insert of [
        sql`insert into webhook_endpoints (account_id, id, url, events, sealed_secret, created_at, updated_at)
          values ('default', 'wh_1', 'https://receiver.example/', '[]', 'v1.new', ${at(0)}, ${at(0)})`,
        sql`insert into events (account_id, id, event, body, created_at)
          values ('default', 'evt_first', 'sav.created', '{}', ${at(0)}), ('default', 'evt_taken', 'sav.created', '{}', ${at(0)})`,
        row('first', 'pending', sql`'first', 0, 0, ${at(0)}, ${at(0)}, ${at(0)}, null, null, null`),
        row('taken', 'pending', sql`'retry', 3, 2, ${at(0)}, ${at(1)}, ${at(20)}, 'token', 503, 'HTTP 503'`),
        row('failed', 'failed', sql`'retry', 6, 6, ${at(0)}, null, null, null, 500, 'HTTP 500'`),
        row('done', 'delivered', sql`'retry', 1, 1, ${at(0)}, null, null, null, 200, null`),
      ])
        await insert.execute(storage.db)
      await storage.migrate()

      const { queue, reads } = storage
      expect(await queue.counts()).toEqual({ pending: 2, delivered: 1, failed: 1 })
      for (const [state, ids] of [
        ['pending', ['taken', 'first']],
        ['failed', ['failed']],
        ['delivered', ['done']],
      ] as const)
        expect((await reads.deliveries.list('default', { state, limit: 9 })).map(({ id }) => id)).toEqual(ids)
      const request = { target: 'wh_1', channel: 'webhook', limit: 9 }
      const claim = (second: number) =>
        queue.claim(
          [
            { ...request, lane: 'first' },
            { ...request, lane: 'retry' },
          ],
          { now: at(second), leasedUntil: at(40), token: 'ours' },
        )
      expect((await claim(19)).map(({ id }) => id)).toEqual(['first'])
      expect(await claim(20)).toMatchObject([
        { id: 'taken', attempt_count: 3, run_attempt_count: 2, run_started_at: at(0), next_attempt_at: at(1) },
      ])
      expect(await storage.transaction((tx) => tx.deliveries.reopen('default', 'failed', at(21)))).toBe(true)
      expect(await claim(21)).toMatchObject([{ id: 'failed', attempt_count: 6, run_attempt_count: 0 }])
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
