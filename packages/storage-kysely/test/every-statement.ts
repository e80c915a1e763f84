import { sql } from 'kysely'
import { client, newCase } from '../../storage-contract/src/samples/samples.js'
import type { OpenedStorage } from '../src/storage/opened-storage.js'

const at = '2026-01-15T10:30:00.000Z'

/** Runs every kind of statement: plain SQL, Kysely's builder, deferred rows, a search. */
export async function use(storage: OpenedStorage): Promise<unknown> {
  await sql`insert into ${sql.table('accounts')} (id, created_at) values ('ours', ${at})`.execute(storage.db)
  const id = await storage.transaction(async (tx) => {
    const client_id = await tx.directory.addClient('ours', client({ nom: 'Lefèvre', prenom: 'Zoé' }))
    await tx.outbox.add({
      ...{ account_id: 'ours', id: 'evt_1', event: 'sav.created', body: '{}', created_at: at },
      deliveries: [{ id: 'dlv_1', channel: 'webhook', target: 'wh_1' }],
    })
    const owner = { account_id: 'ours', client_id, poseur_id: 0 }
    return tx.cases.insert(newCase(owner, { description: 'La baie coulisse mal' }))
  })
  await storage.transaction((tx) => tx.directory.updateClient('ours', 1, { nom: 'Évrard' }))
  const { items } = await storage.reads.cases.list('ours', { recherche: 'evrard baie' }, { page: 1, limite: 10 })
  const due = await storage.queue.due('2026-01-15T10:30:01.000Z')
  const joined = await storage.db
    .selectFrom('cases as events')
    .innerJoin('clients', 'clients.id', 'events.client_id')
    .select(['events.id', 'clients.nom'])
    .execute()
  await storage.db.updateTable('clients').set({ telephone: '0102030405' }).where('clients.id', '=', 1).execute()
  return [id, items.map(({ client }) => client.nom), due, joined]
}
/** What `use` resolves to on an empty store. */
export const used = [1, ['Évrard'], [{ lane: 'first', target: 'wh_1', channel: 'webhook' }], [{ id: 1, nom: 'Évrard' }]]
