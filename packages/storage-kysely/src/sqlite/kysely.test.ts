import type { Kysely } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newFile, openMigrated } from '../../test/files.js'
import type { Schema } from '../tables/tables.js'

type Orders = Schema & { orders: { id: number } }

/** A store beside a table of the caller. */
async function openWithOrders(path: string) {
  const storage = await openMigrated(path)
  onTestFinished(() => storage.close())
  const db: Kysely<Orders> = storage.db.$extendTables<{ orders: { id: number } }>()
  await db.schema.createTable('orders').addColumn('id', 'integer').execute()
  const orders = async () => (await db.selectFrom('orders').select('id').orderBy('id').execute()).map(({ id }) => id)
  return { storage, db, orders }
}

for (const [name, path] of [
  ['a file', newFile],
  ['memory', () => ':memory:'],
] as const) {
  describe(`Kysely for the caller’s own tables, in ${name}`, () => {
    it('commits a single statement by itself, and returns what it changed', async () => {
      const { db, orders } = await openWithOrders(path())
      const [inserted] = await db
        .insertInto('orders')
        .values([{ id: 1 }, { id: 2 }])
        .execute()
      expect(inserted?.numInsertedOrUpdatedRows).toBe(2n)
      const returned = await db.updateTable('orders').set({ id: 3 }).where('id', '=', 2).returning('id').execute()
      expect(returned).toEqual([{ id: 3 }])
      expect(await orders()).toEqual([1, 3])
    })

    it('commits and rolls back transactions while the storage runs its own', async () => {
      const { storage, db, orders } = await openWithOrders(path())
      const refusal = new Error('changed our mind')
      const ends = await Promise.allSettled([
        db.transaction().execute((trx) => trx.insertInto('orders').values({ id: 1 }).execute()),
        storage.transaction((tx) => tx.facts.set('order', '1')),
        db.transaction().execute(async (trx) => {
          await trx.insertInto('orders').values({ id: 2 }).execute()
          throw refusal
        }),
        db.transaction().execute((trx) => trx.insertInto('orders').values({ id: 3 }).execute()),
      ])
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
      expect(await orders()).toEqual([1, 3])
      expect(await storage.reads.facts.get('order')).toBe('1')
    })

    it('supports savepoints in a transaction that the caller controls', async () => {
      const { db, orders } = await openWithOrders(path())
      const trx = await db.startTransaction().execute()
      await trx.insertInto('orders').values({ id: 1 }).execute()
      const saved = await trx.savepoint('before two').execute()
      await saved.insertInto('orders').values({ id: 2 }).execute()
      const back = await saved.rollbackToSavepoint('before two').execute()
      const released = await back.releaseSavepoint('before two').execute()
      await released.insertInto('orders').values({ id: 3 }).execute()
      await released.commit().execute()
      expect(await orders()).toEqual([1, 3])
    })

    it('can stream rows, and read on a single connection', async () => {
      const { db } = await openWithOrders(path())
      await db
        .insertInto('orders')
        .values([{ id: 1 }, { id: 2 }])
        .execute()
      const streamed: number[] = []
      for await (const { id } of db.selectFrom('orders').select('id').orderBy('id').stream()) streamed.push(id)
      expect(streamed).toEqual([1, 2])
      const read = await db.connection().execute((one) => one.selectFrom('orders').selectAll().execute())
      expect(read).toHaveLength(2)
    })
  })
}

it('closing the Kysely closes the storage', async () => {
  const storage = await openMigrated(':memory:')
  await storage.db.destroy()
  await expect(storage.reads.facts.get('anything')).rejects.toMatchObject({ code: 'unavailable' })
  await storage.close()
})
