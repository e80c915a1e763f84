import { onTestFinished } from 'vitest'
import { composeWithoutWorker } from '../../src/compose.js'
import { cliActor } from '../../src/context.js'
import type { StoreStorage } from '../../src/database.js'
import { readSettings } from '../../src/settings.js'
import { openStore } from '../../src/store.js'
import type { Workplace } from '../workplace.js'

/** Writes to the store of a workplace, and looks at it, beside the processes under test. */
export async function committer(place: Workplace, account_id = 'default') {
  const settings = readSettings({ env: { SAV_WEBHOOK_ALLOW_LOCAL: '1' }, cwd: place.dir })
  const store = await openStore(settings)
  onTestFinished(() => store.storage.close())
  const sav = composeWithoutWorker(settings, store)
  const actor = cliActor(account_id)
  const { id: client_id } = await sav.directory.clients.add(account_id, { nom: 'Durand', prenom: 'Hélène' })
  return {
    sav,
    storage: store.storage,
    /** Commits a case, and with it an event for each endpoint of the account. */
    commit: () => sav.cases.create(actor, { client_id, description: 'Une porte de plus à régler' }),
  }
}

/** How many deliveries are in a state. */
export async function countOf(storage: StoreStorage, state: 'pending' | 'delivered' | 'failed'): Promise<number> {
  return (await storage.queue.counts())[state]
}
