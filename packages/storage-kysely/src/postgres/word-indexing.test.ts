import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openPostgres } from '../../../../test/whole/opening.js'
import { newCase } from '../../../storage-contract/src/samples/samples.js'
import { newDatabase, patient } from '../../test/databases.js'

const at = '2026-01-15T10:30:00.000Z'

it('words of new cases are found at once in a pending list, and are indexed a second after the commit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  // With one connection, the next query waits for the indexing.
  const storage = await openPostgres(await newDatabase(), { ...patient, connections: 1 })
  onTestFinished(() => storage.close())
  const { db } = storage
  await sql`insert into accounts (id, created_at) values ('ours', ${at})`.execute(db)
  await sql`insert into clients (account_id, id, nom, prenom, recherche_nom, recherche_email)
    values ('ours', 1, 'Lefèvre', 'Zoé', 'lefevre zoe', '')`.execute(db)
  const create = (description: string) =>
    storage.transaction(async (tx) => {
      const numero = await tx.cases.nextNumber('ours', 2026)
      return tx.cases.insert(newCase({ account_id: 'ours', client_id: 1, poseur_id: 0 }, { numero, description }))
    })
  /** Empties the list; resolves to the number of its pages. */
  const waiting = async () => {
    const { rows } = await sql<{ pages: number }>`select gin_clean_pending_list('cases_words') as pages`.execute(db)
    return rows[0]?.pages
  }
  const found = async (recherche: string) =>
    (await storage.reads.cases.list('ours', { recherche }, { page: 1, limite: 5 })).total
  await create('Façade rayée')
  expect(await found('facade')).toBe(1)
  expect(await waiting()).toBe(1)
  await create('Charnière cassée')
  await vi.advanceTimersByTimeAsync(999)
  expect(await waiting()).toBe(1)
  await create('Tiroir bloqué')
  await vi.advanceTimersByTimeAsync(1)
  expect(await waiting()).toBe(0)
  expect(await found('tiroir')).toBe(1)
})
