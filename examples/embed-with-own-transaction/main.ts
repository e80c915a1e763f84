import { createSav } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { orders } from './schema.ts'

const { SHOP_DB = 'shop.db', SHOP_KEY = '' } = process.env

// Shop and service share one connection. With two, a write on one would wait for the transaction on the other.
const database = new Database(SHOP_DB)
const shop = drizzle(database, { schema: { orders } })
shop.run('create table if not exists orders (id integer primary key, case_id integer not null, part text not null)')
// All tables of the service begin with `sav_`, so drizzle.config.ts can exclude them.
const storage = await openSqlite({ database })
await storage.migrate()
const sav = createSav({ storage, secretKey: Buffer.from(SHOP_KEY, 'base64') })
await sav.start()

const actor = { account_id: 'default', type: 'systeme', id: null, nom: 'example' } as const
const client = await sav.directory.clients.add(actor, { nom: 'Lefèvre', prenom: 'Zoé' })

/** Creates a case and the order of a part for it: either both or neither. */
const orderPart = (description: string, part: string) =>
  storage.db.transaction().execute(async (trx) => {
    const { cases } = sav.inTransaction(storage.inTransaction(trx))
    const { id } = await cases.create(actor, { client_id: client.id, description })
    if (part === '') throw new Error('no part was named')
    shop.insert(orders).values({ case_id: id, part }).run()
  })

/** Does the same in a transaction on the database itself. */
const orderByHand = (description: string, part: string) =>
  storage.transactionOn(database, async (storageInside) => {
    const { cases } = sav.inTransaction(storageInside)
    const { id } = await cases.create(actor, { client_id: client.id, description })
    if (part === '') throw new Error('no part was named')
    database.prepare('insert into orders (case_id, part) values (?, ?)').run(id, part)
  })

await orderPart('La charnière du meuble haut est cassée.', 'charnière 110°')
const refused = await orderByHand('La façade du tiroir est rayée.', '').catch((error: Error) => error.message)
const { total } = await sav.cases.list('default', {})
console.log(`${total} case, ${shop.select().from(orders).all().length} order; refused: ${refused}`)
await sav.close()
await storage.close()
database.close()
