import type { Sav } from '@sav/core'
import type { Storage } from '@sav/core/ports'
import { seededRandom } from '@sav/core/testing'
import Sqlite from 'better-sqlite3'
import { sql as drizzleSql } from 'drizzle-orm'
import { drizzle as drizzleOnSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzleOnPostgres } from 'drizzle-orm/node-postgres'
import { knex } from 'knex'
import { CamelCasePlugin, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { Pool, types } from 'pg'
import * as vitest from 'vitest'
import { freshDatabase } from '../../../test/postgres.js'
import { createUseCases, openPostgres, openSqlite } from '../../../test/whole/opening.js'
import { patient } from '../test/databases.js'
import { newStore } from '../test/files.js'

const { describe, expect, it, onTestFinished } = vitest

const actor = { account_id: 'default', type: 'cle', id: 'key_1', nom: 'Caisse' } as const
const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const service = (storage: Storage): Sav =>
  createUseCases({
    storage,
    clock: { now: Date.now, monotonic: Date.now, after: () => () => {} },
    random: seededRandom(7),
    secretKey: new Uint8Array(32).fill(7),
    timeZone: 'Europe/Paris',
    receivers: { allowLocal: true },
  })

/** A store, and the ways into a transaction of a team that has the same database open in its own manner. */
interface SharedStore {
  readonly storage: Storage & { migrate(): Promise<string[]> }
  /** Runs `work` in a transaction of the team's, with a row of its own in `commandes`; it is rolled back when `work` rejects. */
  within(work: (storage: Storage) => Promise<void>): Promise<void>
  /** Ids of the team's own rows. */
  commandes(): Promise<number[]>
}

const insertOwn = 'insert into commandes (id) values (1)'

async function onPostgres(
  way: (pool: Pool, storage: Awaited<ReturnType<typeof openPostgres>>) => SharedStore['within'],
  pool: { types?: typeof types } = {},
) {
  const database = await freshDatabase()
  const storage = await openPostgres(database.url, patient)
  const own = new Pool({ connectionString: database.url, ...pool })
  onTestFinished(async () => {
    await own.end()
    await storage.close()
    await database[Symbol.asyncDispose]()
  })
  await storage.migrate()
  await own.query('create table commandes (id int primary key)')
  const commandes = async () => (await own.query('select id from commandes')).rows.map(({ id }) => id)
  return { storage, within: way(own, storage), commandes }
}

async function onSqlite(way: (path: string, storage: Awaited<ReturnType<typeof openSqlite>>) => SharedStore['within']) {
  const path = await newStore({})
  const storage = await openSqlite(path)
  const own = new Sqlite(path)
  own.exec('create table commandes (id int primary key)')
  onTestFinished(async () => {
    own.close()
    await storage.close()
  })
  const commandes = async () => own.prepare<[], number>('select id from commandes').pluck().all()
  return { storage, within: way(path, storage), commandes }
}

/** Both on the one connection that the team has opened. */
async function onSharedSqlite(
  way: (own: Sqlite.Database, storage: Awaited<ReturnType<typeof openSqlite>>) => SharedStore['within'],
) {
  const own = new Sqlite(await newStore({}))
  const storage = await openSqlite({ database: own })
  own.exec('create table commandes (id int primary key)')
  onTestFinished(async () => {
    await storage.close()
    own.close()
  })
  const commandes = async () => own.prepare<[], number>('select id from commandes').pluck().all()
  return { storage, within: way(own, storage), commandes }
}

const kyselyOn =
  (kysely: (pool: Pool) => Kysely<unknown>) =>
  (pool: Pool, storage: Awaited<ReturnType<typeof openPostgres>>): SharedStore['within'] =>
  (work) =>
    kysely(pool)
      .transaction()
      .execute(async (trx) => {
        await sql.raw(insertOwn).execute(trx)
        await work(storage.inTransaction(trx))
      })

const ways: readonly (readonly [string, () => Promise<SharedStore>])[] = [
  [
    'a Kysely over a pool with pg’s own parsers',
    () => onPostgres(kyselyOn((pool) => new Kysely({ dialect: new PostgresDialect({ pool }) }))),
  ],
  [
    'a Kysely that renames columns, over a pool that reads BigInt',
    () =>
      onPostgres(
        kyselyOn((pool) => new Kysely({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })),
        {
          types: { ...types, getTypeParser: (type: number) => (type === 20 ? BigInt : types.getTypeParser(type)) },
        },
      ),
  ],
  [
    'a client of pg',
    () =>
      onPostgres((pool, storage) => async (work) => {
        const client = await pool.connect()
        try {
          await client.query('begin')
          await client.query(insertOwn)
          await work(storage.inTransaction(client))
          await client.query('commit')
        } catch (error) {
          await client.query('rollback')
          throw error
        } finally {
          client.release()
        }
      }),
  ],
  [
    'a database of better-sqlite3, which reads BigInt',
    () =>
      onSqlite((path, storage) => async (work) => {
        const own = new Sqlite(path)
        own.defaultSafeIntegers()
        try {
          await storage.transactionOn(own, (inside) => {
            own.exec(insertOwn)
            return work(inside)
          })
        } finally {
          own.close()
        }
      }),
  ],
  [
    'the database of better-sqlite3 that the storage has as well',
    () =>
      onSharedSqlite(
        (database, storage) => (work) =>
          storage.transactionOn(database, (inside) => {
            database.exec(insertOwn)
            return work(inside)
          }),
      ),
  ],
  [
    'a Kysely of the team’s over better-sqlite3',
    () =>
      onSqlite((path, storage) => async (work) => {
        const kysely = new Kysely({ dialect: new SqliteDialect({ database: new Sqlite(path) }) })
        await kysely
          .transaction()
          .execute(async (trx) => {
            await sql.raw(insertOwn).execute(trx)
            await work(storage.inTransaction(trx))
          })
          .finally(() => kysely.destroy())
      }),
  ],
  [
    'Drizzle on a client of pg',
    () =>
      onPostgres((pool, storage) => async (work) => {
        const client = await pool.connect()
        try {
          await drizzleOnPostgres(client).transaction(async (tx) => {
            await tx.execute(drizzleSql.raw(insertOwn))
            await work(storage.inTransaction(client))
          })
        } finally {
          client.release()
        }
      }),
  ],
  [
    'Drizzle on the database of better-sqlite3 that the storage has as well',
    () =>
      onSharedSqlite((database, storage) => (work) => {
        const own = drizzleOnSqlite(database)
        return storage.db.transaction().execute(async (trx) => {
          own.run(drizzleSql.raw(insertOwn))
          await work(storage.inTransaction(trx))
        })
      }),
  ],
  [
    'Knex on PostgreSQL',
    () =>
      onPostgres((pool, storage) => async (work) => {
        const own = knex({ client: 'pg', connection: String(pool.options.connectionString) })
        try {
          await own.transaction(async (trx) => {
            await trx.raw(insertOwn)
            await work(storage.inTransaction(await trx.client.acquireConnection()))
          })
        } finally {
          await own.destroy()
        }
      }),
  ],
  [
    'Knex on SQLite',
    () =>
      onSqlite((path, storage) => async (work) => {
        const own = knex({ client: 'better-sqlite3', connection: { filename: path }, useNullAsDefault: true })
        try {
          const connection = await own.client.acquireConnection()
          const ended = storage.transactionOn(connection, async (inside) => {
            await own.raw(insertOwn).connection(connection)
            await work(inside)
          })
          await ended.finally(() => own.client.releaseConnection(connection))
        } finally {
          await own.destroy()
        }
      }),
  ],
]

describe.each(ways)('inside %s', (_, open) => {
  it('a case lives from its creation to its second close, with numbers that are numbers', async () => {
    const { storage, within, commandes } = await open()
    const ours = service(storage)
    await ours.accounts.add(actor, 'default')
    await ours.webhooks.endpoints.add(actor, { url: 'https://erp.example/', events: ['sav.created', 'sav.closed'] })
    const client = await ours.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice', telephone: '0612345678' })
    const poseur = await ours.directory.poseurs.add(actor, { nom: 'Bruno Petit' })
    let id = 0
    await within(async (inside) => {
      const sav = ours.inTransaction(inside)
      const description = 'La façade « chêne » s’écaille sous l’évier.'
      id = (await sav.cases.create(actor, { client_id: client.id, description, photos: [png] })).id
      expect(await sav.cases.update(actor, id, { notes_internes: 'Code 4711', poseur_id: poseur.id })).toMatchObject({
        version: 2,
        client: { id: client.id },
      })
      await sav.cases.close(actor, id, { resolution: 'Façade remplacée.', signature_client: png })
      await sav.cases.reopen(actor, id, { motif: 'La façade s’écaille à nouveau.' })
      await sav.cases.close(actor, id, { resolution: 'Façade remplacée.' })
      const { total } = await sav.cases.list('default', {})
      expect(total).toBe(1)
    })
    const found = await ours.cases.get('default', id)
    expect(found).toMatchObject({ id, version: 5, statut: 'clos', preuve: [{ sequence: 1 }, { sequence: 2 }] })
    expect((await ours.directory.clients.get('default', client.id)).telephone).toBe('0612345678')
    expect(await ours.evidence.verify('default')).toMatchObject({ checked: 2, broken: [] })
    const { items } = await ours.webhooks.deliveries.list('default', {})
    expect(items.map(({ event }) => event).toSorted()).toEqual(['sav.closed', 'sav.closed', 'sav.created'])
    expect(await commandes()).toEqual([1])
  })

  it('nothing stays when the team rolls back, of theirs or of ours', async () => {
    const { storage, within, commandes } = await open()
    const ours = service(storage)
    await ours.accounts.add(actor, 'default')
    const client = await ours.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice' })
    const refusal = new Error('the order was refused')
    const failing = within(async (inside) => {
      const description = 'La porte ne ferme plus.'
      await ours.inTransaction(inside).cases.create(actor, { client_id: client.id, description })
      throw refusal
    })
    await expect(failing).rejects.toBe(refusal)
    expect((await ours.cases.list('default', {})).total).toBe(0)
    expect(await commandes()).toEqual([])
  })
})
