import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaPg } from '@prisma/adapter-pg'
import { createSav } from '@sav/http-node'
import { openPostgres } from '@sav/storage-kysely/postgres'
import { Pool, type PoolClient } from 'pg'
import { PrismaClient } from './generated/client.ts'

const { SHOP_DB = '', SHOP_KEY = '' } = process.env

/** A pool that tells on which connection Prisma has begun a transaction. */
class TellingPool extends Pool {
  readonly #transactions = new AsyncLocalStorage<{ client?: PoolClient }>()

  override connect(): Promise<PoolClient>
  override connect(callback: Parameters<Pool['connect']>[0]): void
  override connect(callback?: Parameters<Pool['connect']>[0]): Promise<PoolClient> | undefined {
    if (callback !== undefined) {
      super.connect(callback)
      return
    }
    const transaction = this.#transactions.getStore() ?? {}
    return super.connect().then((client) => {
      transaction.client ??= client
      return client
    })
  }

  /** Runs what begins one transaction, and inside it asks `connection`. */
  telling<T>(begin: (connection: () => PoolClient) => Promise<T>): Promise<T> {
    const transaction: { client?: PoolClient } = {}
    const connection = () => {
      if (transaction.client === undefined) throw new Error('Prisma has begun no transaction.')
      return transaction.client
    }
    return this.#transactions.run(transaction, () => begin(connection))
  }
}

const pool = new TellingPool({ connectionString: SHOP_DB })
const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
const storage = await openPostgres(SHOP_DB, { schema: 'sav' })
await storage.migrate()
const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })
await sav.start()

const actor = { account_id: 'default', type: 'systeme', id: null, nom: 'example' } as const
const client = await sav.directory.clients.add(actor, { nom: 'Lefèvre', prenom: 'Zoé' })

/** A case and the order of a part for it: both, or neither. */
const orderPart = (description: string, part: string) =>
  pool.telling((connection) =>
    prisma.$transaction(async (tx) => {
      const { cases } = sav.inTransaction(storage.inTransaction(connection()))
      const { id } = await cases.create(actor, { client_id: client.id, description })
      if (part === '') throw new Error('no part was named')
      await tx.orders.create({ data: { case_id: id, part } })
    }),
  )

await orderPart('La charnière du meuble haut est cassée.', 'charnière 110°')
const refused = await orderPart('La façade du tiroir est rayée.', '').catch((error: Error) => error.message)
const { total } = await sav.cases.list('default', {})
console.log(`${total} case, ${await prisma.orders.count()} order; refused: ${refused}`)
await sav.close()
await storage.close()
await prisma.$disconnect()
await pool.end()
