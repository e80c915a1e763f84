import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSqlite } from '../../../../test/whole/opening.js'
import { newStore } from '../../test/files.js'

const refusal = new Error('the order was refused')

async function open(how: 'apart' | 'shared', busyTimeoutMs = 60_000) {
  const path = await newStore({})
  const database = new Sqlite(path)
  database.exec('create table commandes (id integer primary key)')
  const storage = await openSqlite(how === 'apart' ? path : { database }, { busyTimeoutMs })
  onTestFinished(async () => {
    await storage.close()
    database.close()
  })
  const rows = () => database.prepare<[], number>('select id from commandes order by id').pluck().all()
  const fact = (name: string) => storage.reads.facts.get(name)
  return { database, storage, rows, fact }
}

describe.each(['apart', 'shared'] as const)('a transaction on the caller’s connection (%s)', (how) => {
  it('commits the caller’s writes with ours, returns the function’s result, and leaves no trace behind', async () => {
    const { database, storage, rows, fact } = await open(how)
    const given = await storage.transactionOn(database, async (inside) => {
      database.exec('insert into commandes values (1)')
      await inside.transaction((tx) => tx.facts.set('order', '1'))
      expect(await inside.reads.facts.get('order')).toBe('1')
      return 4711
    })
    expect([given, rows(), await fact('order'), database.inTransaction]).toEqual([4711, [1], '1', false])
    expect(database.prepare("select name from sqlite_temp_master where name like 'sav_transaction%'").all()).toEqual([])
  })

  it('allows savepoints of the caller around our calls', async () => {
    const { database, storage, rows, fact } = await open(how)
    await storage.transactionOn(database, async (inside) => {
      database.exec('savepoint theirs; insert into commandes values (1)')
      await inside.transaction((tx) => tx.facts.set('first', 'x'))
      database.exec('rollback to theirs; insert into commandes values (2)')
      await inside.transaction((tx) => tx.facts.set('second', 'x'))
    })
    expect([rows(), await fact('first'), await fact('second')]).toEqual([[2], null, 'x'])
  })

  it('takes turns with the storage’s transactions and with others on the connection', async () => {
    const { database, storage, fact } = await open(how)
    const append = (inside: typeof storage.transaction, letter: string) =>
      inside(async (tx) => tx.facts.set('order', `${(await tx.facts.get('order')) ?? ''}${letter}`))
    await Promise.all([
      append(storage.transaction, 'a'),
      storage.transactionOn(database, async (inside) => {
        await append(inside.transaction, 'b')
        await new Promise((resolve) => setImmediate(resolve))
        await append(inside.transaction, 'c')
      }),
      storage.transactionOn(database, (inside) => append(inside.transaction, 'd')),
      append(storage.transaction, 'e'),
    ])
    expect((await fact('order'))?.split('').toSorted().join('')).toBe('abcde')
    expect(await fact('order')).toContain('bc')
  })

  it('keeps what the caller writes while one of our calls fails', async () => {
    const { database, storage, rows } = await open(how)
    const numbers = Array.from({ length: 40 }, (_, n) => n)
    await storage.transactionOn(database, async (inside) => {
      for (const n of numbers) {
        const failing = inside.transaction(async (tx) => {
          await tx.facts.set('order', '1')
          throw refusal
        })
        const failed = expect(failing).rejects.toBe(refusal)
        for (let turn = 0; turn < n; turn += 1) await null
        database.exec(`insert into commandes values (${n})`)
        await failed
      }
    })
    expect(rows()).toEqual(numbers)
  })

  it('rejects after waiting for a transaction that the caller began, and says how to avoid it', async () => {
    const { database, storage } = await open(how, 300)
    database.exec('begin immediate')
    const told = { code: 'unavailable', message: expect.stringContaining('`storage.transactionOn(database, …)`') }
    await expect(storage.transactionOn(database, async () => {})).rejects.toMatchObject(told)
    const beside = storage.transaction((tx) => tx.facts.set('order', '1'))
    await expect(beside).rejects.toMatchObject(how === 'shared' ? told : { code: 'unavailable' })
    database.exec('rollback')
  })

  it('refuses a transaction of the outer storage inside it, which would wait for it forever', async () => {
    const { database, storage, fact } = await open(how)
    const nested = storage.transactionOn(database, () => storage.transaction((tx) => tx.facts.set('order', '1')))
    await expect(nested).rejects.toThrow('use only the object that its function was given')
    expect(await fact('order')).toBeNull()
  })

  it('refuses calls after a rollback by the caller, also in the caller’s next transaction', async () => {
    const { database, storage, rows, fact } = await open(how)
    const broken = storage.transactionOn(database, async (inside) => {
      await inside.transaction((tx) => tx.facts.set('first', 'x'))
      expect(() => database.exec('commit')).toThrow('FOREIGN KEY')
      database.exec('rollback; begin; insert into commandes values (1)')
      await expect(inside.transaction((tx) => tx.facts.set('second', 'x'))).rejects.toThrow('has ended')
      await expect(inside.reads.facts.get('first')).rejects.toThrow('has ended')
    })
    await expect(broken).rejects.toThrow('has ended')
    expect(database.inTransaction).toBe(true)
    database.exec('commit')
    expect([rows(), await fact('first'), await fact('second')]).toEqual([[1], null, null])
  })

  it('rolls back when its commit fails', async () => {
    const { database, storage, rows } = await open(how)
    database.exec(
      'create table lignes (id integer references commandes (id) deferrable initially deferred); insert into commandes values (1)',
    )
    const failing = storage.transactionOn(database, async () => {
      database.exec('insert into lignes values (2); insert into commandes values (3)')
    })
    await expect(failing).rejects.toThrow('FOREIGN KEY')
    expect([rows(), database.inTransaction]).toEqual([[1], false])
  })
})

it('a transaction that ends during a call fails without harming another one in the same commit', async () => {
  const { storage, rows, fact } = await open('apart')
  const inMidst = Promise.withResolvers<void>()
  const forgetful = storage.db.transaction().execute(async (trx) => {
    const made = storage.inTransaction(trx).transaction(async (tx) => {
      await tx.facts.set('first', 'x')
      inMidst.resolve()
      await new Promise(() => {})
    })
    await Promise.race([made, inMidst.promise])
  })
  const other = storage.db.transaction().execute((trx) => sql`insert into commandes values (1)`.execute(trx))
  await expect(forgetful).rejects.toThrow('was not awaited')
  await other
  expect([rows(), await fact('first')]).toEqual([[1], null])
})

it('a Kysely whose transactions can still be used after their end is refused', async () => {
  const { storage } = await open('apart')
  await storage.db.transaction().execute(async (trx) => {
    const old = {
      isTransaction: trx.isTransaction,
      withoutPlugins: () => trx,
      getExecutor: () => storage.db.getExecutor(),
    }
    expect(() => storage.inTransaction(old)).toThrow('use 0.28.11 or later')
  })
})
