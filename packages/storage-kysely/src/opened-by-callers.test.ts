import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { Pool } from 'pg'
import * as vitest from 'vitest'
import { administer, freshDatabase } from '../../../test/postgres.js'
import { storageContract } from '../../../test/whole/contract.js'
import { openPostgres, openSqlite } from '../../../test/whole/opening.js'
import { onlyParts } from '../test/contract-parts.js'
import { newFile, openOnCallers } from '../test/files.js'
import { actor, serviceOn } from '../test/shop.js'

const { describe, expect, it, onTestFinished } = vitest

// The caller's one connection reads BigInt. Reads and transactions use it in turn, and share no commits.
storageContract({
  name: 'SQLite over the caller’s database, which reads BigInt',
  vitest: onlyParts([
    'numbers of references',
    'cases',
    'transactions',
    'a watcher of the queue',
    'claims',
    'results',
    'counts of the queue',
    'life of a store',
  ]),
  open: openOnCallers,
})

async function pooled() {
  const database = await freshDatabase()
  const pool = new Pool({ connectionString: database.url, max: 2 })
  const storage = await openPostgres({ pool })
  onTestFinished(async () => {
    await storage.close()
    await pool.end()
    await database[Symbol.asyncDispose]()
  })
  await storage.migrate()
  return { pool, storage }
}

describe('a storage over the caller’s pool', () => {
  it('changes no settings of the caller’s sessions', async () => {
    const { pool, storage } = await pooled()
    const settings = async () => {
      const clients = [await pool.connect(), await pool.connect()]
      const read = (name: string) =>
        Promise.all(clients.map(async (client) => Object.values((await client.query(`show ${name}`)).rows[0])))
      const found = {
        jit: await read('jit'),
        enable_seqscan: await read('enable_seqscan'),
        statement_timeout: await read('statement_timeout'),
        lock_timeout: await read('lock_timeout'),
        listeners: clients.map((client) => client.listenerCount('error')),
        parsed: await Promise.all(clients.map(async (client) => (await client.query('select 1::int8 as n')).rows[0].n)),
      }
      for (const client of clients) client.release()
      return found
    }
    const before = await settings()
    const sav = serviceOn(storage)
    await sav.accounts.add(actor, 'default')
    await Promise.all([sav.accounts.list(), sav.accounts.list(), sav.cases.list('default', {})])
    await expect(storage.reads.cases.find('default', Number.MAX_VALUE)).rejects.toThrow(
      'invalid input syntax for type bigint',
    )
    expect(await settings()).toEqual(before)
    expect(before.parsed).toEqual(['1', '1'])
  })

  it('reads numbers as numbers through its own Kysely', async () => {
    const { storage } = await pooled()
    const sav = serviceOn(storage)
    await sav.accounts.add(actor, 'default')
    await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice' })
    expect(await storage.db.selectFrom('clients').select('id').execute()).toEqual([{ id: 1 }])
    expect((await storage.facts()).fsync).toMatch(/on|off/)
    expect(storage.poolUse()).toBeNull()
    const seen = await storage.snapshot((db) => sql<{ n: number }>`select count(*) as n from sav.clients`.execute(db))
    expect(seen.rows).toEqual([{ n: 1 }])
  })

  it('fails only the transaction whose connection is lost between two statements', async () => {
    const { pool, storage } = await pooled()
    pool.on('error', () => {})
    const cutOff = storage.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
      await administer(`select pg_terminate_backend(${rows[0]?.pid}, 10000)`)
      await sql`select 1`.execute(trx)
    })
    await expect(cutOff).rejects.toThrow(/connection|terminat/)
    expect(await storage.reads.accounts.list()).toEqual([])
  })

  it('continues to work after connections are lost between two calls', async () => {
    const { pool, storage } = await pooled()
    pool.on('error', () => {})
    const sav = serviceOn(storage)
    await sav.accounts.add(actor, 'default')
    await sav.accounts.list()
    const killer = new Pool({ ...pool.options, max: 1 })
    await killer.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await killer.end()
    expect((await sav.accounts.list()).map(({ id }) => id)).toEqual(['default'])
  })
})

describe('a storage over the caller’s database', () => {
  async function shared() {
    const database = new Sqlite(newFile(), { timeout: 5000 })
    const storage = await openSqlite({ database }, { busyTimeoutMs: 200 })
    await storage.migrate()
    const sav = serviceOn(storage)
    await sav.accounts.add(actor, 'default')
    const client = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice' })
    database.exec('create table commandes (id integer primary key, note text)')
    onTestFinished(async () => {
      await storage.close()
      if (database.open) database.close()
    })
    const create = (description = 'La porte ne ferme plus.') =>
      sav.cases.create(actor, { client_id: client.id, description })
    return { database, storage, sav, create }
  }

  it('keeps no transaction open across turns of the event loop, so that the caller can write in each', async () => {
    const { database, sav, create } = await shared()
    let working = true
    let turns = 0
    const caller = (async () => {
      const insert = database.prepare('insert into commandes (note) values (?)')
      for (; working; await new Promise((resolve) => setImmediate(resolve))) {
        expect(database.inTransaction).toBe(false)
        database.transaction(() => insert.run(`tour ${turns}`))()
        turns += 1
      }
    })()
    const made = await Promise.all(Array.from({ length: 60 }, (_, i) => create(`La charnière numéro ${i} grince.`)))
    for (const { id } of made.slice(0, 10)) await sav.cases.close(actor, id, { resolution: 'Charnière remplacée.' })
    await expect(sav.cases.close(actor, made[0]?.id ?? 0, { resolution: 'Encore une fois.' })).rejects.toThrow(
      'already closed',
    )
    expect(database.inTransaction).toBe(false)
    working = false
    await caller
    expect(turns).toBeGreaterThan(10)
    expect(database.prepare('select count(*) from commandes').pluck().get()).toBe(turns)
    expect(await sav.evidence.verify('default')).toMatchObject({ checked: 10, broken: [] })
  })

  it('waits for the caller’s transaction, and reads nothing that it has not committed', async () => {
    const { database, sav, create } = await shared()
    database.exec(`begin; update sav_clients set nom = 'Dupont'`)
    const made = create()
    const listed = sav.directory.clients.list('default', {})
    await new Promise((resolve) => setImmediate(resolve))
    database.exec('rollback')
    expect((await made).reference).toMatch(/-00001$/)
    expect((await listed).items.map(({ nom }) => nom)).toEqual(['Durand'])
  })

  it('is not opened while the caller is in a transaction', async () => {
    const database = new Sqlite(':memory:')
    database.exec('begin')
    await expect(openSqlite({ database })).rejects.toThrow('in a transaction: end it first')
    database.close()
  })
})
