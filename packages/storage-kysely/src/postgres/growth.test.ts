import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../../../test/whole/opening.js'
import { delivered, outcome } from '../../../storage-contract/src/samples/queue-samples.js'
import { historyEntry, newCase } from '../../../storage-contract/src/samples/samples.js'
import { newDatabase, patient } from '../../test/databases.js'
import { insertWaiting } from '../../test/waiting.js'
import type { PostgresStorage } from '../postgres.js'

const start = Date.parse('2026-03-29T00:59:59.999Z')
const instant = (ms: number) => new Date(start + ms).toISOString()
const grown = 20_000

/** Creates a case as `sav.cases.create` does, with two endpoints, and records a delivery to each. */
async function createAndDeliver(storage: PostgresStorage, n: number): Promise<void> {
  const [at, token] = [instant(n), `token-${n}`]
  await storage.transaction(async (tx) => {
    const numero = await tx.cases.nextNumber('ours', 2026)
    const owner = { account_id: 'ours', client_id: 1, poseur_id: 0 }
    const id = await tx.cases.insert(newCase(owner, { numero, description: `Façade rayée n° ${n}`, date_creation: at }))
    await tx.cases.appendHistory('ours', id, [historyEntry({ date: at, type: 'creation' })])
    await tx.outbox.add({
      ...{ account_id: 'ours', id: `evt_${n}`, event: 'sav.created', body: '{}', created_at: at },
      deliveries: ['wh_1', 'wh_2'].map((target) => ({ id: `dlv_${target}_${n}`, channel: 'webhook', target })),
    })
  })
  const due = await storage.queue.due(at)
  const requests = due.map((target) => ({ ...target, limit: 1 }))
  const claimed = await storage.queue.claim(requests, { now: at, leasedUntil: instant(n + 15_000), token })
  await storage.queue.record(claimed.map((delivery) => outcome(delivery, delivered)))
}

/** The rows read in each table since the store was created. */
async function rowsRead({ db }: PostgresStorage): Promise<Map<string, number>> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ name: string; read: number }>`
    select relname as name, coalesce(seq_tup_read, 0) + coalesce(
      (select sum(idx_tup_read) from pg_stat_user_indexes as i where i.relid = t.relid), 0)::bigint as read
    from pg_stat_user_tables as t`.execute(db)
  return new Map(rows.map(({ name, read }) => [name, read]))
}

it('a store that grows without ANALYZE keeps its query plans, and reads no whole table for one case', async () => {
  const storage = await openPostgres(await newDatabase(), { ...patient, connections: 1 })
  onTestFinished(() => storage.close())
  const { db } = storage
  const { rows } = await sql<{ name: string }>`select relname as name from pg_stat_user_tables`.execute(db)
  for (const { name } of rows) await sql`alter table ${sql.id(name)} set (autovacuum_enabled = off)`.execute(db)
  await sql`insert into accounts (id, created_at) values ('ours', ${instant(0)})`.execute(db)
  await sql`insert into clients (account_id, id, nom, prenom, recherche_nom, recherche_email)
    values ('ours', 1, 'Lefèvre', 'Zoé', 'lefevre zoe', '')`.execute(db)

  const later = (number: string) =>
    sql<string>`to_char(timestamp '2026-03-29 01:00' + ${sql.ref(number)} * interval '1 ms', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

  // After five runs, PostgreSQL keeps a statement's plan. These runs make it keep plans for almost empty tables.
  let n = 0
  for (; n < 10; n += 1) await createAndDeliver(storage, n)
  await sql`insert into cases (account_id, annee, numero, client_id, statut, priorite, type_probleme, description, photos,
      date_creation, date_modification, version, historique_numero, historique_hash, recherche)
    select 'ours', 2025, i, 1, 'ouvert', 'normale', 'autre', 'x', '[]', ${later('i')}, ${later('i')}, 1, 1, '', 'n' || i
    from generate_series(1, ${sql.lit(grown)}) as i`.execute(db)
  await sql`insert into events (account_id, id, event, body, created_at)
    select 'ours', 'evt_x' || i, 'sav.created', '{}', ${later('i')} from generate_series(1, ${sql.lit(grown)}) as i`.execute(
    db,
  )
  const said = { id: sql<string>`'dlv_x' || n`, event_id: sql<string>`'evt_x' || n`, target: sql<string>`'wh_3'` }
  await insertWaiting(db, { ...said, at: later('n'), count: grown })
  for (const last = n + 60; n < last; n += 1) await createAndDeliver(storage, n)

  const before = await rowsRead(storage)
  for (const last = n + 10; n < last; n += 1) await createAndDeliver(storage, n)
  const after = await rowsRead(storage)
  const perCase = [...after].map(([table, read]) => [table, (read - (before.get(table) ?? 0)) / 10] as const)
  // A few hundred finished deliveries are still read as long as an older transaction is open on the server.
  expect(perCase.filter(([, read]) => read > grown / 10)).toEqual([])
  // After the tables have grown, each statement is planned again a few times, but not for every run.
  const replanned = await sql`select statement from pg_prepared_statements
    where generic_plans + custom_plans > 20 and custom_plans > generic_plans`.execute(db)
  expect(replanned.rows).toEqual([])
})
