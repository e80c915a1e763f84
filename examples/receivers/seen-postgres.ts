import type { SeenEvents } from '@sav/webhook-verify/node'
import type { Pool } from 'pg'

/** Remembers handled events in `create table seen_events (id text primary key, seen_at timestamptz default now())`. */
export function seenInPostgres(pool: Pool): SeenEvents {
  return {
    has: async (id) => (await pool.query('select 1 from seen_events where id = $1', [id])).rowCount === 1,
    add: (id) => pool.query('insert into seen_events (id) values ($1) on conflict do nothing', [id]),
  }
}
