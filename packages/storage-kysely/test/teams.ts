import { setImmediate } from 'node:timers/promises'
import type { Storage } from '@sav/core/ports'
import Sqlite from 'better-sqlite3'
import { sql as drizzleSql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import Knex from 'knex'
import { CamelCasePlugin, Kysely, PostgresDialect, SqliteDialect, sql, type Transaction } from 'kysely'
import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { onTestFinished } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { fromDrizzle, fromKnex } from '../src/postgres.js'
import type { SqliteSource, SqliteStorage } from '../src/sqlite.js'
import type { Schema } from '../src/tables/tables.js'
import { openSomewhere } from './databases.js'
import { newStore } from './files.js'

/** A team with one connection, on which it runs its transactions. */
export interface Team {
  readonly storage: Storage & { readonly db: Kysely<Schema> }
  /** Runs `work` in a transaction that adds the team's row `n`; it is rolled back when `work` rejects. */
  within(n: number, work: (inside: Storage) => Promise<unknown>): Promise<unknown>
  /** What the team may do during a call, and how often, until the call has ended. */
  readonly steps: readonly (readonly [step: () => Promise<unknown>, times: number])[]
  rows(): Promise<number[]>
}

export const insertion = (n: number) => `insert into commandes (id) values (${n})`

export const ofPath = (path: string): SqliteSource => path
export const ofDatabase = (_: string, database: Sqlite.Database): SqliteSource => ({ database })

export async function onSqlite(
  source: (path: string, database: Sqlite.Database) => SqliteSource,
  way: (database: Sqlite.Database, storage: SqliteStorage) => Team['within'],
): Promise<Team & { readonly database: Sqlite.Database; readonly storage: SqliteStorage }> {
  const path = await newStore({})
  const database = new Sqlite(path)
  database.exec('create table commandes (id integer primary key)')
  const storage = await openSqlite(source(path, database))
  onTestFinished(async () => {
    await storage.close()
    database.close()
  })
  const steps: Team['steps'] = [
    [async () => {}, 200],
    [() => setImmediate(), 3],
  ]
  const ids = database.prepare<[], number>('select id from commandes order by id').pluck()
  const rows = async () => ids.safeIntegers(false).all()
  return { database, storage, within: way(database, storage), steps, rows }
}

type Postgres = Awaited<ReturnType<typeof openSomewhere>>['storage']

async function onPostgres(
  way: (client: PoolClient, storage: Postgres) => Team['within'],
  config: PoolConfig = {},
): Promise<Team> {
  const { storage, url } = await openSomewhere()
  const pool = new Pool({ connectionString: url, max: 1, ...config })
  await pool.query('drop table if exists commandes')
  await pool.query('create table commandes (id int primary key)')
  const client = await pool.connect()
  onTestFinished(async () => {
    client.release()
    await pool.end()
    await storage.close()
  })
  const rows = async () => (await client.query('select id from commandes order by id')).rows.map(({ id }) => id)
  return { storage, within: way(client, storage), steps: [[() => client.query('select 1'), 30]], rows }
}

/** Transactions that SQL statements begin and end. */
const byCommands =
  (run: (sql: string) => unknown, join: () => Storage): Team['within'] =>
  async (n, work) => {
    await run('begin')
    try {
      await run(insertion(n))
      await work(join())
      await run('commit')
    } catch (error) {
      await run('rollback')
      throw error
    }
  }

const byKysely =
  <T>(kysely: Kysely<T>, join: (trx: Transaction<T>) => Storage): Team['within'] =>
  (n, work) =>
    kysely.transaction().execute(async (trx) => {
      await sql.raw(insertion(n)).execute(trx)
      await work(join(trx))
    })

/** A pool that lends the one client and never ends it. */
const poolOf = (client: PoolClient) => ({ connect: async () => ({ query: client.query.bind(client), release() {} }) })

export const begun =
  (database: Sqlite.Database, storage: SqliteStorage): Team['within'] =>
  (n, work) =>
    storage.transactionOn(database, (inside) => {
      database.exec(insertion(n))
      return work(inside)
    })

export const teams: readonly (readonly [string, () => Promise<Team>])[] = [
  [
    'a Database of better-sqlite3, passed itself',
    () =>
      onSqlite(ofPath, (database, storage) =>
        byCommands(
          (text) => database.exec(text),
          () => Object(storage).inTransaction(database),
        ),
      ),
  ],
  ['a Database of better-sqlite3', () => onSqlite(ofPath, begun)],
  ['the Database of better-sqlite3 that the storage has', () => onSqlite(ofDatabase, begun)],
  [
    'the team’s Kysely on SQLite',
    () =>
      onSqlite(ofPath, (database, storage) =>
        byKysely(new Kysely({ dialect: new SqliteDialect({ database }) }), (trx) => storage.inTransaction(trx)),
      ),
  ],
  [
    'the Kysely of the storage on SQLite',
    () => onSqlite(ofPath, (_, storage) => byKysely(storage.db, (trx) => storage.inTransaction(trx))),
  ],
  [
    'the Kysely of the storage on the Database that it has',
    () => onSqlite(ofDatabase, (_, storage) => byKysely(storage.db, (trx) => storage.inTransaction(trx))),
  ],
  [
    'a client of pg',
    () =>
      onPostgres((client, storage) =>
        byCommands(
          (text) => client.query(text),
          () => storage.inTransaction(client),
        ),
      ),
  ],
  [
    'a Kysely on PostgreSQL',
    () =>
      onPostgres((client, storage) =>
        byKysely(new Kysely({ dialect: new PostgresDialect({ pool: Object(poolOf(client)) }) }), (trx) =>
          storage.inTransaction(trx),
        ),
      ),
  ],
  [
    'Drizzle on a client of pg',
    () =>
      onPostgres(
        (client, storage) => (n, work) =>
          drizzle(client).transaction(async (tx) => {
            await tx.execute(drizzleSql.raw(insertion(n)))
            await work(storage.inTransaction(fromDrizzle(tx)))
          }),
      ),
  ],
  [
    'Knex on pg',
    () =>
      onPostgres((client, storage) => {
        const knex = Knex({ client: 'pg' })
        const pool = { acquire: () => ({ promise: Promise.resolve(client) }), release: () => true }
        knex.client.pool = pool
        return (n, work) =>
          knex.transaction(async (trx) => {
            await trx.raw(insertion(n))
            await work(storage.inTransaction(fromKnex(trx)))
          })
      }),
  ],
]

const bigInts: PoolConfig['types'] = {
  getTypeParser: (type: number) => (type === 20 ? BigInt : types.getTypeParser(type)),
}

/** Teams whose drivers read numbers or names differently. */
export const peculiarTeams: typeof teams = [
  [
    'a Kysely that renames columns, over a pool that reads BigInt',
    () =>
      onPostgres(
        (client, storage) => {
          const dialect = new PostgresDialect({ pool: Object(poolOf(client)) })
          return byKysely(new Kysely({ dialect, plugins: [new CamelCasePlugin()] }), (trx) =>
            storage.inTransaction(trx),
          )
        },
        { types: bigInts },
      ),
  ],
  [
    'a Database of better-sqlite3 that reads BigInt',
    () => onSqlite(ofPath, (database, storage) => begun(database.defaultSafeIntegers(), storage)),
  ],
]
