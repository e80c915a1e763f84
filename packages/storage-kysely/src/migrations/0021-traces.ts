import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** What caused a delivery, for tools that trace it. */
export const traces = ({ ddl: { text } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`alter table ${name('delivery_queue')} add column traceparent ${text}`.execute(db)
  },
})
