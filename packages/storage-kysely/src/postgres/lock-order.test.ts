import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { addCase, addOwner, file } from '../../../storage-contract/src/samples/samples.js'
import { openFresh } from '../../test/databases.js'
import { actor, serviceOn } from '../../test/shop.js'
import type { PostgresStorage } from '../postgres.js'

/** The number of connections that wait for a lock. */
async function waitingIn({ db }: Pick<PostgresStorage, 'db'>): Promise<number> {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

it('a transaction locks no client while it waits for a case, which prevents deadlocks', async () => {
  const storage = await openFresh()
  onTestFinished(() => storage.close())
  const sav = serviceOn(storage)
  await sav.accounts.add(actor, 'default')
  const { id: client_id } = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Zoé' })
  const { id } = await sav.cases.create(actor, { client_id, description: 'La porte du four ne ferme plus.' })

  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = storage.transaction(async (tx) => {
    await tx.cases.lock('default', id)
    held.resolve()
    await released.promise
  })
  await held.promise
  const updated = sav.directory.clients.update(actor, client_id, { adresse: '1 rue des Lilas' })
  try {
    await expect.poll(() => waitingIn(storage)).toBe(1)
    await sql`select from clients where id = ${client_id} for update nowait`.execute(storage.db)
  } finally {
    released.resolve()
    await holding
  }
  expect(await updated).toMatchObject({ adresse: '1 rue des Lilas' })
})

it('a file that one case releases while another case takes it is kept for the other case', async () => {
  const storage = await openFresh()
  onTestFinished(() => storage.close())
  const owner = await addOwner(storage, 'ours')
  const [one, other] = [await addCase(storage, owner), await addCase(storage, owner)]
  const stored = file(Uint8Array.of(1, 2, 3))
  await storage.transaction((tx) => tx.files.put('ours', one.id, stored))

  const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const taking = storage.transaction(async (tx) => {
    await tx.files.put('ours', other.id, stored)
    await tx.files.ofCase('ours', other.id)
    taken.resolve()
    await released.promise
  })
  await taken.promise
  const releasing = storage.transaction((tx) => tx.files.release('ours', one.id))
  try {
    await expect.poll(() => waitingIn(storage)).toBe(1)
  } finally {
    released.resolve()
    await taking
  }
  expect(await releasing).toEqual([])
  expect(await storage.reads.files.find('ours', one.id, stored.sha256)).toBeNull()
  expect(await storage.reads.files.find('ours', other.id, stored.sha256)).not.toBeNull()
})
