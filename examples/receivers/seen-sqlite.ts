import { DatabaseSync } from 'node:sqlite'
import type { SeenEvents } from '@sav/webhook-verify/node'

/** Remembers handled events in the receiver's own table. */
export function seenInSqlite(file: string): SeenEvents {
  const db = new DatabaseSync(file, { timeout: 4000 })
  db.exec('create table if not exists seen_events (id text primary key, seen_at text default current_timestamp)')
  const one = db.prepare('select 1 from seen_events where id = ?')
  const insert = db.prepare('insert into seen_events (id) values (?) on conflict do nothing')
  return { has: (id) => one.get(id) !== undefined, add: (id) => insert.run(id) }
}
