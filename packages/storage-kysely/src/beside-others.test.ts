import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { drizzle as drizzleOnSqlite } from 'drizzle-orm/better-sqlite3'
import { migrate as migrateDrizzleOnSqlite } from 'drizzle-orm/better-sqlite3/migrator'
import { drizzle as drizzleOnPostgres } from 'drizzle-orm/node-postgres'
import { migrate as migrateDrizzleOnPostgres } from 'drizzle-orm/node-postgres/migrator'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { Pool } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../test/postgres.js'
import { patient } from '../test/databases.js'
import { use, used } from '../test/every-statement.js'
import { newFile } from '../test/files.js'
import { openPostgres } from './postgres.js'
import { openSqlite } from './sqlite.js'
import { migrationNames } from './storage/migrate.js'
import type { OpenedStorage } from './storage/opened-storage.js'

/** A team's migrations before and after those of the store. Its tables have the same names as some of ours. */
const first = ['create table clients (id int primary key, email text)', 'create table events (id int primary key)']
const second = [
  'alter table clients add column segment text',
  "insert into clients values (7, 'a@shop.example', 'pro')",
]

/** A team's database. */
interface TeamsDatabase {
  /** Opens a store in the database. `apart`: the store gets a prefix, or a schema. */
  open(apart: boolean): Promise<OpenedStorage<never>>
  /** Runs the team's migrations up to this one with the team's tool. */
  migrateTheirs(upTo: 0 | 1): Promise<void>
  /** The team's rows. */
  theirs(): Promise<unknown[]>
  /** The tables and indexes without our prefix or schema. */
  outsideOurs(): Promise<unknown[]>
}

/** A folder as drizzle-kit generates it. */
function drizzleFolder(upTo: 0 | 1): string {
  const folder = `${newFile()}-drizzle`
  mkdirSync(join(folder, 'meta'), { recursive: true })
  const migrations = [first, second].slice(0, upTo + 1)
  const entries = migrations.map((_, idx) => ({
    idx,
    version: '7',
    when: 1000 + idx,
    tag: `000${idx}`,
    breakpoints: true,
  }))
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'any', entries }))
  migrations.forEach((statements, idx) => {
    writeFileSync(join(folder, `000${idx}.sql`), statements.join(';\n--> statement-breakpoint\n'))
  })
  return folder
}

async function migrateKysely(db: Kysely<unknown>, upTo: 0 | 1): Promise<void> {
  const migration = (statements: readonly string[]) => ({
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  })
  const known = { '0001-theirs': migration(first), '0002-theirs': migration(second) }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } })
  const { error } = await migrator.migrateTo(upTo === 0 ? '0001-theirs' : '0002-theirs')
  if (error !== undefined) throw error
}

async function sqlite(migrateTheirs: (own: Sqlite.Database, upTo: 0 | 1) => Promise<void>): Promise<TeamsDatabase> {
  const file = newFile()
  const own = new Sqlite(file)
  onTestFinished(() => void own.close())
  return {
    async open(apart) {
      const storage = await openSqlite(file, apart ? { prefix: 'sav_' } : {})
      onTestFinished(() => storage.close())
      return storage
    },
    migrateTheirs: (upTo) => migrateTheirs(own, upTo),
    theirs: async () => own.prepare('select * from clients').all(),
    outsideOurs: async () =>
      own
        .prepare(`select name from sqlite_master where name not like 'sav_%' and name not like 'sqlite_%' order by 1`)
        .all(),
  }
}

async function postgres(migrateTheirs: (own: Pool, upTo: 0 | 1) => Promise<void>): Promise<TeamsDatabase> {
  const database = await freshDatabase()
  const own = new Pool({ connectionString: database.url })
  onTestFinished(async () => {
    await own.end()
    await database[Symbol.asyncDispose]()
  })
  return {
    async open(apart) {
      const storage = await openPostgres(database.url, { ...patient, ...(apart && { schema: 'sav' }) })
      onTestFinished(() => storage.close())
      return storage
    },
    migrateTheirs: (upTo) => migrateTheirs(own, upTo),
    theirs: async () => (await own.query('select * from clients')).rows,
    async outsideOurs() {
      const outside = `relnamespace = 'public'::regnamespace and relkind in ('r', 'S', 'i')`
      return (await own.query(`select relname from pg_class where ${outside} order by 1`)).rows
    },
  }
}

const teams: readonly (readonly [string, () => Promise<TeamsDatabase>])[] = [
  [
    'Kysely on SQLite',
    () => sqlite((database, upTo) => migrateKysely(new Kysely({ dialect: new SqliteDialect({ database }) }), upTo)),
  ],
  [
    'Kysely on PostgreSQL',
    () => postgres((pool, upTo) => migrateKysely(new Kysely({ dialect: new PostgresDialect({ pool }) }), upTo)),
  ],
  [
    'Drizzle on SQLite',
    () =>
      sqlite(async (database, upTo) =>
        migrateDrizzleOnSqlite(drizzleOnSqlite(database), { migrationsFolder: drizzleFolder(upTo) }),
      ),
  ],
  [
    'Drizzle on PostgreSQL',
    () =>
      postgres((pool, upTo) =>
        migrateDrizzleOnPostgres(drizzleOnPostgres(pool), { migrationsFolder: drizzleFolder(upTo) }),
      ),
  ],
]

describe.each(teams)('beside the tables of a team that migrates with %s', (_, database) => {
  it('our migrations run between two of theirs, and neither tool notices the other’s tables', async () => {
    const { open, migrateTheirs, theirs, outsideOurs } = await database()
    await migrateTheirs(0)
    const before = await outsideOurs()
    const storage = await open(true)
    expect(await storage.hasTables()).toBe(false)
    expect(await storage.migrate()).toEqual(migrationNames())
    await migrateTheirs(1)
    expect(await storage.migrate()).toEqual([])

    expect(await use(storage)).toEqual(used)
    expect(await outsideOurs()).toEqual(before)
    expect(await theirs()).toEqual([{ id: 7, email: 'a@shop.example', segment: 'pro' }])
  })

  it('our migrations are refused without a prefix or a schema, before they write anything', async () => {
    const { open, migrateTheirs, theirs } = await database()
    await migrateTheirs(0)
    const storage = await open(false)
    await expect(storage.migrate()).rejects.toThrow(
      /^The database has tables of its own called clients, events\. Give the store a (prefix: openSqlite|schema: openPostgres)/,
    )
    expect(await storage.pendingMigrations()).toEqual(migrationNames())
    // The store is closed first. Otherwise the team's connection would block the event loop while it waits for the
    // store's.
    await storage.close()
    await migrateTheirs(1)
    expect(await theirs()).toHaveLength(1)
  })
})
