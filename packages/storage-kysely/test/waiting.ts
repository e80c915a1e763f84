import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../src/tables/tables.js'

/**
 * Inserts `count` deliveries of `ours` that wait for their first attempt. The expressions may use the number `n` of
 * each.
 */
export async function insertWaiting(
  db: Kysely<Schema>,
  delivery: { readonly [said in 'id' | 'event_id' | 'target' | 'at']: RawBuilder<string> } & { readonly count: number },
): Promise<void> {
  const { id, event_id, target, at, count } = delivery
  const what = sql`'ours', ${at}, ${id}, ${event_id}, 'sav.created', 'webhook', ${target}`
  const numbers = sql`from generate_series(1, ${sql.lit(count)}) as n`
  await sql`insert into deliveries (account_id, created_at, id, event_id, event, channel, target, state, attempt_count,
      next_attempt_at)
    select ${what}, 'pending', 0, ${at} ${numbers}`.execute(db)
  await sql`insert into delivery_queue (account_id, created_at, id, event_id, event, channel, target, lane, attempt_count,
      run_attempt_count, run_started_at, next_attempt_at, available_at)
    select ${what}, 'first', 0, 0, ${at}, ${at}, ${at} ${numbers}`.execute(db)
}
