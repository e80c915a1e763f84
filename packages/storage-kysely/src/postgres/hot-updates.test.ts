import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { newDatabase } from '../../test/databases.js'
import { insertWaiting } from '../../test/waiting.js'
import { openPostgres } from '../postgres.js'

const at = '2026-01-15T10:30:00.000Z'
const lease = { now: at, leasedUntil: '2026-01-15T10:30:15.000Z', token: 'token' }
const result = { attempt_count: 1, run_attempt_count: 1, last_status: 200, last_error: null }
const delivered = { state: 'delivered', next_attempt_at: null, ...result } as const
const attempt = { n: 1, started_at: at, duration_ms: 1, status: 200, error: null, response_headers: null, response: '' }

const [waiting, group] = [2000, 50]

it('claims and outcomes write no index: the new version of a row stays in its page', async () => {
  const storage = await openPostgres(await newDatabase(), { connections: 1 })
  onTestFinished(() => storage.close())
  const { db, queue } = storage
  await sql`insert into accounts (id, created_at) values ('ours', ${at})`.execute(db)
  await sql`insert into events (account_id, id, event, body, created_at)
    select 'ours', 'evt_' || n, 'sav.created', '{}', ${at} from generate_series(1, ${sql.lit(waiting)}) as n`.execute(
    db,
  )
  const said = { id: sql<string>`'dlv_' || n`, event_id: sql<string>`'evt_' || n`, target: sql<string>`'wh_1'` }
  await insertWaiting(db, { ...said, at: sql<string>`${sql.lit(at)}`, count: waiting })

  for (let done = 0; done < waiting; done += group) {
    const request = { lane: 'first', target: 'wh_1', channel: 'webhook', limit: group } as const
    const claimed = await queue.claim([request], lease)
    const recorded = await queue.record(claimed.map((delivery) => ({ delivery, attempt, update: delivered })))
    expect(recorded.size).toBe(group)
  }

  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ name: string; updated: number; hot: number }>`
    select relname as name, n_tup_upd as updated, n_tup_hot_upd as hot from pg_stat_user_tables
    where relname in ('deliveries', 'delivery_queue') order by relname`.execute(db)
  expect(rows.map(({ name, updated }) => [name, updated])).toEqual([
    ['deliveries', waiting],
    ['delivery_queue', waiting],
  ])
  // Where a page is full of versions that somebody may still read, the next one goes to another page.
  expect(rows.filter(({ hot }) => hot < 0.95 * waiting)).toEqual([])
  expect((await sql`select 1 from delivery_queue`.execute(db)).rows).toEqual([])
})
