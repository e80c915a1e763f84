import { onTestFinished } from 'vitest'
import { readSettings } from '../../../command/src/settings/settings.js'
import { compose } from '../../../command/src/store/compose.js'
import type { StoreStorage } from '../../../command/src/store/database.js'
import { cliActor } from '../../../command/src/store/local-actor.js'
import { openStore } from '../../../command/src/store/store.js'
import { features } from '../program.js'
import type { Workplace } from '../workplace.js'

/** Opens the store of a workplace in this process, beside the processes under test. */
export async function committer(shop: Workplace, account_id = 'default') {
  const settings = readSettings({ env: { ...shop.settings, SAV_WEBHOOK_ALLOW_LOCAL: '1' }, cwd: shop.dir, features })
  const store = await openStore(settings, () => {})
  onTestFinished(() => store.storage.close())
  const sav = await compose(settings, store)
  const actor = cliActor(account_id)
  const { id: client_id } = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Hélène' })
  return {
    sav,
    actor,
    storage: store.storage,
    /** Commits a case, and with it an event for each endpoint of the account. */
    commit: () => sav.cases.create(actor, { client_id, description: 'Une porte de plus à régler' }),
  }
}

/** The number of deliveries in the given state. */
export async function countOf(storage: StoreStorage, state: 'pending' | 'delivered' | 'failed'): Promise<number> {
  return (await storage.queue.counts())[state]
}

/**
 * Ends every lease now. Short tests call this instead of waiting until the leases of a dead process expire; with full
 * counts the tests do wait, which shows that leases expire in time.
 */
export async function endLeases(storage: StoreStorage): Promise<void> {
  await storage.db
    .updateTable('delivery_queue')
    .set(({ ref }) => ({ available_at: ref('next_attempt_at') }))
    .where('lease_token', 'is not', null)
    .execute()
}
