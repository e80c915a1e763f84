import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openMigrated } from '../../test/files.js'

/** A store beside a table of the caller. */
async function openWithOrders() {
  const storage = await openMigrated(':memory:')
  onTestFinished(() => storage.close())
  const db = storage.db.$extendTables<{ orders: { id: number } }>()
  await db.schema.createTable('orders').addColumn('id', 'integer').execute()
  const orders = async () => (await db.selectFrom('orders').select('id').execute()).map(({ id }) => id)
  return { storage, db, orders }
}

const refusal = new Error('changed our mind')

describe('the caller’s transaction', () => {
  it('continues after one of our transactions in it failed, without the writes of that one', async () => {
    const { storage, db, orders } = await openWithOrders()
    await db.transaction().execute(async (trx) => {
      const ours = storage.inTransaction(trx)
      await trx.insertInto('orders').values({ id: 1 }).execute()
      const failing = ours.transaction(async (tx) => {
        await tx.facts.set('order', '1')
        throw refusal
      })
      await expect(failing).rejects.toBe(refusal)
      await ours.transaction((tx) => tx.facts.set('order', '2'))
    })
    expect(await orders()).toEqual([1])
    expect(await storage.reads.facts.get('order')).toBe('2')
  })

  it('accepts no further calls of one of our transactions that failed', async () => {
    const { storage, db } = await openWithOrders()
    await db.transaction().execute(async (trx) => {
      const ours = storage.inTransaction(trx)
      let goOn = () => {}
      const gone = new Promise<void>((resolve) => {
        goOn = resolve
      })
      let straggling: Promise<void> = Promise.resolve()
      const failing = ours.transaction(async (tx) => {
        straggling = gone.then(() => tx.facts.set('order', 'late'))
        throw refusal
      })
      await expect(failing).rejects.toBe(refusal)
      goOn()
      await expect(straggling).rejects.toThrow('has ended')
    })
    expect(await storage.reads.facts.get('order')).toBeNull()
  })

  it('runs our transactions one after another, and each fails alone', async () => {
    const { storage, db } = await openWithOrders()
    await db.transaction().execute(async (trx) => {
      const ours = storage.inTransaction(trx)
      const ends = await Promise.allSettled(
        [0, 1, 2, 3, 4, 5].map((index) =>
          ours.transaction(async (tx) => {
            await tx.facts.set(`fact ${index}`, 'set')
            await tx.facts.get('anything')
            if (index % 2 === 1) throw refusal
          }),
        ),
      )
      expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, true, false])
    })
    const { rows } = await sql<{ name: string }>`select name from facts order by name`.execute(storage.db)
    expect(rows.map(({ name }) => name)).toEqual(['fact 0', 'fact 2', 'fact 4'])
  })

  it('refuses one of our transactions inside another of ours', async () => {
    const { storage, db } = await openWithOrders()
    await db.transaction().execute(async (trx) => {
      const ours = storage.inTransaction(trx)
      await ours.transaction(async (tx) => {
        await tx.facts.set('outer', 'set')
        await expect(ours.transaction((inner) => inner.facts.set('inner', 'set'))).rejects.toThrow(
          'use only the object that its function was given',
        )
      })
    })
    expect([await storage.reads.facts.get('outer'), await storage.reads.facts.get('inner')]).toEqual(['set', null])
  })

  it('can use the queue too, and continues after the storage is closed in it', async () => {
    const { storage, db } = await openWithOrders()
    await db.transaction().execute(async (trx) => {
      const ours = storage.inTransaction(trx)
      expect(await ours.queue.due('2026-01-15T10:30:00.000Z')).toEqual([])
      await ours.queue.release([])
      await ours.ping()
      await ours.close()
      await ours.transaction((tx) => tx.facts.set('still', 'open'))
    })
    expect(await storage.reads.facts.get('still')).toBe('open')
  })
})
