// Programs of teams that embed the service, as the tests save them in projects where it is installed.

/** A transaction of the team's own Kysely, in which the service's calls run. */
export const ownKysely = `import { createSav } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'

const storage = await openSqlite('shop.db')
await storage.migrate()
const sav = createSav({ storage, secretKey: new Uint8Array(32) })
await sav.start()
const db = new Kysely<{ orders: { id: number } }>({ dialect: new SqliteDialect({ database: new Database('shop.db') }) })
await db.schema.createTable('orders').addColumn('id', 'integer').execute()
const actor = { account_id: 'default', type: 'systeme', id: null, nom: 'test' } as const
const { id } = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice' })
const ordering = db.transaction().execute(async (trx) => {
  await trx.insertInto('orders').values({ id: 1 }).execute()
  const { cases } = sav.inTransaction(storage.inTransaction(trx))
  await cases.create(actor, { client_id: id, description: 'La porte frotte.' })
  throw new Error('refused')
})
const said = await ordering.catch((error: Error) => error.message)
const orders = await db.selectFrom('orders').selectAll().execute()
console.log(said, (await sav.cases.list('default', {})).total + orders.length)
await sav.close()
await storage.close()
await db.destroy()
`

/** Opens and migrates a store on the team's pool. */
export const migratesOverPool = `import { openPostgres } from '@sav/storage-kysely/postgres'
import { Pool } from 'pg'
const pool = new Pool({ connectionString: process.env.SHOP_DB })
const storage = await openPostgres({ pool })
console.log((await storage.migrate()).length > 0, (await storage.pendingMigrations()).length)
await storage.close()
await pool.end()`

/** A schema for `drizzle-kit push` on a database that also has our tables. */
export const pushed = `import { integer, pgTable } from 'drizzle-orm/pg-core'\nexport const orders = pgTable('orders', { id: integer().primaryKey() })\n`
export const pushedTo = `export default { dialect: 'postgresql', schema: './schema.ts', dbCredentials: { url: process.env.SHOP_DB } }\n`
