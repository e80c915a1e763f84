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

/** A store with due deliveries to one endpoint. */
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

/** Claims and records `count` deliveries as a worker does. */
async function deliver({ queue }: PostgresStorage, count: number): Promise<void> {
  for (let done = 0; done < count; done += group) {
    expect(await queue.due(at)).toHaveLength(1)
    const request = { lane: 'first', target: 'wh_1', channel: 'webhook', limit: group } as const
    const claimed = await queue.claim([request], lease)
    const recorded = await queue.record(claimed.map((delivery) => outcome(delivery, delivered)))
    expect(recorded.size).toBe(group)
  }
}

it('a row that appears late, but is due before rows already claimed, is claimed first a second later', async () => {
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
