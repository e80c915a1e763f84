import Sqlite from 'better-sqlite3'
import { Pool } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../../test/postgres.js'
import { newFile, newStore } from '../../test/files.js'
import { openPostgres } from '../postgres.js'
import { openSqlite, type SqliteOptions } from '../sqlite.js'
import type { OpenedStorage } from './opened-storage.js'

/** The warning of `migrate` about the place; null: none. */
async function migrated(storage: OpenedStorage<never>): Promise<string | null> {
  let said: string | null = null
  const listen = ({ message }: Error) => {
    said = message
  }
  process.on('warning', listen)
  await storage.migrate()
  // Warnings are emitted in a later turn.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', listen)
  await storage.close()
  return said
}

describe('in the caller’s SQLite database, without a named place', () => {
  const opened = async (path: string, options?: SqliteOptions) => {
    const database = new Sqlite(path)
    onTestFinished(() => void database.close())
    const tables = () =>
      database
        .prepare<[], string>("select name from sqlite_master where name like '%cases' order by name")
        .pluck()
        .all()
    return { storage: await openSqlite({ database }, options), tables }
  }

  it('a new store gets a prefix, and is found there again', async () => {
    const path = newFile()
    for (const _ of [1, 2]) {
      const { storage, tables } = await opened(path)
      expect(await migrated(storage)).toBeNull()
      expect(tables()).toEqual(['sav_cases'])
    }
  })

  it('a store without a prefix is kept, with a warning', async () => {
    const { storage, tables } = await opened(await newStore({}))
    expect(await storage.pendingMigrations()).toEqual([])
    expect(await migrated(storage)).toBe(
      "The existing store is kept: { prefix: '' }. A new one would be created at { prefix: 'sav_' }.",
    )
    expect(tables()).toEqual(['cases'])
  })

  it('two stores are refused unless one is named', async () => {
    const path = await newStore({}, { prefix: 'sav_' })
    await expect(opened(path)).rejects.toThrow("open it with one of { prefix: '' } and { prefix: 'sav_' }.")
    for (const prefix of ['', 'sav_', 'shop_']) {
      const { storage } = await opened(path, { prefix })
      expect(await storage.hasTables()).toBe(prefix !== 'shop_')
      expect(await migrated(storage)).toBeNull()
    }
  })

  it('the caller’s own tables with our names are not taken for a store', async () => {
    const path = newFile()
    const own = new Sqlite(path)
    own.exec('create table cases (id integer primary key); create table sav_migrations (name text)')
    own.close()
    const { storage, tables } = await opened(path)
    expect(await migrated(storage)).toBeNull()
    expect(tables()).toEqual(['cases', 'sav_cases'])
  })

  it('a store opened by its path has no prefix', async () => {
    const path = newFile()
    expect(await migrated(await openSqlite(path))).toBeNull()
    const { tables } = await opened(path)
    expect(tables()).toEqual(['cases'])
  })
})

describe('in the caller’s PostgreSQL database, without a named place', () => {
  async function fresh(searchPath?: string) {
    const database = await freshDatabase()
    const pool = new Pool({ connectionString: database.url })
    onTestFinished(async () => {
      await pool.end()
      await database[Symbol.asyncDispose]()
    })
    if (searchPath !== undefined) {
      for (const schema of searchPath.split(', ')) await pool.query(`create schema if not exists ${schema}`)
      await pool.query(
        `alter role current_user in database ${new URL(database.url).pathname.slice(1)} set search_path to ${searchPath}`,
      )
    }
    const schemas = async () => {
      const { rows } = await pool.query("select schemaname from pg_tables where tablename = 'cases' order by 1")
      return rows.map(({ schemaname }) => schemaname)
    }
    return { url: database.url, pool: new Pool({ connectionString: database.url, max: 1 }), schemas }
  }

  it('a new store gets a schema, and is found there again', async () => {
    const { pool, schemas } = await fresh()
    for (const _ of [1, 2]) expect(await migrated(await openPostgres({ pool }))).toBeNull()
    expect(await schemas()).toEqual(['sav'])
    await pool.end()
  })

  it('a store in a schema of the search path is kept, with a warning', async () => {
    const { url, pool, schemas } = await fresh('own, shop')
    await migrated(await openPostgres(url, { schema: 'shop' }))
    expect(await migrated(await openPostgres({ pool }))).toBe(
      "The existing store is kept: { schema: 'shop' }. A new one would be created at { schema: 'sav' }.",
    )
    expect(await schemas()).toEqual(['shop'])
    await pool.end()
  })

  it('two stores on the search path are refused unless one is named', async () => {
    const { url, pool, schemas } = await fresh()
    await migrated(await openPostgres(url, { schema: 'elsewhere' }))
    await migrated(await openPostgres({ pool }))
    await migrated(await openPostgres({ pool }, { schema: 'public' }))
    expect(await schemas()).toEqual(['elsewhere', 'public', 'sav'])
    await expect(openPostgres({ pool })).rejects.toThrow(
      "open it with one of { schema: 'public' } and { schema: 'sav' }.",
    )
    expect(await migrated(await openPostgres({ pool }, { schema: 'public' }))).toBeNull()
    expect(await (await openPostgres({ pool }, { schema: 'sav' })).pendingMigrations()).toEqual([])
    await pool.end()
  })

  it('a role that may not create a schema gets the statement to run, and then uses the new schema', async () => {
    const { pool, schemas } = await fresh()
    const { rows } = await pool.query('select current_database() as name')
    const client = await pool.connect()
    await client.query(`create role clerk_${rows[0].name}; set role clerk_${rows[0].name}`)
    client.release()
    const storage = await openPostgres({ pool })
    const remedy = `create schema "sav" authorization "clerk_${rows[0].name}"`
    await expect(storage.migrate()).rejects.toThrow(
      `may not create the schema sav. Create it as an administrator: ${remedy}; or name`,
    )
    await pool.query(`reset role; ${remedy}; set role clerk_${rows[0].name}`)
    expect(await migrated(storage)).toBeNull()
    expect(await schemas()).toEqual(['sav'])
    await pool.query(`reset role; drop owned by clerk_${rows[0].name} cascade; drop role clerk_${rows[0].name}`)
    await pool.end()
  })

  it('an unreachable database is reported as unavailable', async () => {
    const pool = new Pool({ connectionString: 'postgres://127.0.0.1:1/shop' })
    await expect(openPostgres({ pool })).rejects.toMatchObject({ code: 'unavailable' })
    await pool.end()
  })
})
