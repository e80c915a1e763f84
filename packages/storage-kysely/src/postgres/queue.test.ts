import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../../../test/whole/opening.js'
import { delivered, outcome } from '../../../storage-contract/src/samples/queue-samples.js'
import { newDatabase, patient } from '../../test/databases.js'
import { insertWaiting } from '../../test/waiting.js'
import type { PostgresStorage } from '../postgres.js'

const at = '2026-01-15T10:30:00.000Z'
const lease = { now: at, leasedUntil: '2026-01-15T10:30:15.000Z', token: 'token' }

const [waiting, group] = [2000, 50]

/** A store in which deliveries to one endpoint are due. */
async function filled(): Promise<PostgresStorage> {
  const storage = await openPostgres(await newDatabase(), { ...patient, connections: 1 })
  onTestFinished(() => storage.close())
  const { db } = storage
  await sql`insert into accounts (id, created_at) values ('ours', ${at})`.execute(db)
  await sql`insert into events (account_id, id, event, body, created_at)
    select 'ours', 'evt_' || n, 'sav.created', '{}', ${at} from generate_series(1, ${sql.lit(waiting)}) as n`.execute(
    db,
  )
  const said = { id: sql<string>`'dlv_' || n`, event_id: sql<string>`'evt_' || n`, target: sql<string>`'wh_1'` }
  const due = sql<string>`to_char(${at}::timestamp - ${sql.lit(waiting)} * interval '1 s' + n * interval '1 s', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  await insertWaiting(db, { ...said, at: due, count: waiting })
  await sql`analyze`.execute(db)
  return storage
}

/** Delivers `count` deliveries as a worker does. */
async function deliver({ queue }: PostgresStorage, count: number): Promise<void> {
  for (let done = 0; done < count; done += group) {
    expect(await queue.due(at)).toHaveLength(1)
    const request = { lane: 'first', target: 'wh_1', channel: 'webhook', limit: group } as const
    const claimed = await queue.claim([request], lease)
    const recorded = await queue.record(claimed.map((delivery) => outcome(delivery, delivered)))
    expect(recorded.size).toBe(group)
  }
}

it('claims and outcomes update rows within their page, without index writes, on cached plans', async () => {
  const storage = await filled()
  const { db } = storage
  await deliver(storage, waiting)

  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ name: string; updated: number; hot: number }>`
    select relname as name, n_tup_upd as updated, n_tup_hot_upd as hot from pg_stat_user_tables
    where relname in ('deliveries', 'delivery_queue') order by relname`.execute(db)
  expect(rows.map(({ name, updated }) => [name, updated])).toEqual([
    ['deliveries', waiting],
    ['delivery_queue', waiting],
  ])
  // A full page puts the next version of a row on another page, so a few updates are not HOT.
  expect(rows.filter(({ hot }) => hot < 0.95 * waiting)).toEqual([])
  expect((await sql`select 1 from delivery_queue`.execute(db)).rows).toEqual([])

  const statements = await sql<{ runs: number; planned: number }>`
    select generic_plans + custom_plans as runs, custom_plans as planned from pg_prepared_statements
    where statement ~ 'delivery_queue' order by planned`.execute(db)
  // Claim, record and look for due rows: after five runs, the server reuses a generic plan.
  expect(statements.rows).toEqual(Array.from({ length: 3 }, () => ({ runs: waiting / group, planned: 5 })))
})

it('delivered rows are not read again, however long another transaction may still see them', async () => {
  const storage = await filled()
  await storage.snapshot(async (others) => {
    await sql`select 1 from delivery_queue limit 1`.execute(others)
    await deliver(storage, waiting - group)
    const before = await entriesRead(storage)
    await deliver(storage, group)
    // Reads the waiting endpoints, then their oldest deliveries, then claims.
    expect((await entriesRead(storage)) - before).toBeLessThan(5 * group)
  })
})

it('a late row, due before claimed ones, is claimed a second later although more are due', async () => {
  const storage = await filled()
  await deliver(storage, group)
  const late = { id: sql<string>`'dlv_late'`, event_id: sql<string>`'evt_1'`, target: sql<string>`'wh_1'` }
  await insertWaiting(storage.db, { ...late, at: sql<string>`'2026-01-01T00:00:00.000Z'`, count: 1 })
  const now = '2026-01-15T10:30:01.000Z'
  await storage.queue.due(now)
  const request = { lane: 'first', target: 'wh_1', channel: 'webhook', limit: group } as const
  const claimed = await storage.queue.claim([request], { ...lease, now })
  expect(claimed[0]?.id).toBe('dlv_late')
})

/** Entries read so far from the index of due deliveries. */
async function entriesRead({ db }: PostgresStorage): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ n: number }>`
    select idx_tup_read as n from pg_stat_user_indexes where indexrelname = 'delivery_queue_due'`.execute(db)
  return rows[0]?.n ?? Number.NaN
}
