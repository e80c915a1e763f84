import { openSqlite } from '@sav/storage-kysely/sqlite'

const { SHOP_DB = 'shop.db' } = process.env

// Its tables are beside the shop's own, with the prefix `sav_`.
const storage = await openSqlite(SHOP_DB, { prefix: 'sav_' })
await storage.migrate()

const db = storage.db.$extendTables<{ orders: { id: number; client_id: number } }>()
await db.schema
  .createTable('orders')
  .ifNotExists()
  .addColumn('id', 'integer')
  .addColumn('client_id', 'integer')
  .execute()

// Adds an order of the shop and a client of ours, or neither.
await db.transaction().execute(async (trx) => {
  const ours = storage.inTransaction(trx)
  const client_id = await ours.transaction(async (tx) => {
    const account = { raison_sociale: null, adresse: null, siret: null, email: null, assureur: null, mediateur: null }
    const created_at = new Date().toISOString()
    await tx.accounts.add({
      id: 'default',
      ...account,
      logo: null,
      couleur: '#17507a',
      telephone: null,
      signature_requise_depuis: null,
      confirmation_rdv_depuis: null,
      rappel_rdv_depuis: null,
      prevenir_bureau_depuis: null,
      lieu: null,
      zone_feries: 'FR',
      fuseau: null,
      pas: 15,
      nom_expediteur: null,
      repondre_a: null,
      url_publique: null,
      textes_terrain: [],
      created_at,
    })
    const unknown = {
      raison_sociale: null,
      email: null,
      telephone: null,
      adresse: null,
      lieu: null,
      whatsapp_depuis: null,
      efface_le: null,
    }
    return tx.directory.addClient('default', { nom: 'Lefèvre', prenom: 'Zoé', ...unknown })
  })
  await trx.insertInto('orders').values({ id: 4711, client_id }).execute()
})

const orders = await db.selectFrom('orders').innerJoin('clients', 'clients.id', 'client_id').select('nom').execute()
console.log(`orders of ${orders.map(({ nom }) => nom).join(', ')}`)
await storage.close()
