import { randomBytes } from 'node:crypto'
import { type Actor, createUseCases } from '@sav/core'
import { fixedClock } from '@sav/core/testing'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openFresh } from '../../test/databases.js'

const actor: Actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' }

it('a client is not locked by who waits for a case, so that neither waits for the other', async () => {
  const storage = await openFresh()
  onTestFinished(() => storage.close())
  const sav = createUseCases({
    ...{ storage, clock: fixedClock(), random: randomBytes, secretKey: new Uint8Array(32) },
    ...{ timeZone: 'Europe/Paris', receivers: { allowLocal: false } },
  })
  await sav.accounts.add(actor, 'default')
  const { id: client_id } = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Zoé' })
  const { id } = await sav.cases.create(actor, { client_id, description: 'La porte du four ne ferme plus.' })
  const waiting = async () => {
    const { rows } = await sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(storage.db)
    return rows.length
  }

  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = storage.transaction(async (tx) => {
    await tx.cases.lock('default', id)
    held.resolve()
    await released.promise
  })
  await held.promise
  const updated = sav.directory.clients.update(actor, client_id, { adresse: '1 rue des Lilas' })
  try {
    await expect.poll(waiting).toBe(1)
    await sql`select from clients where id = ${client_id} for update nowait`.execute(storage.db)
  } finally {
    released.resolve()
    await holding
  }
  expect(await updated).toMatchObject({ adresse: '1 rue des Lilas' })
})
