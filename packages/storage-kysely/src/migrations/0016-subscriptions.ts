import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** What handlers in the host's own processes are subscribed to. */
export const subscriptions = ({ ddl: { text, clustered } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`create table ${name('subscriptions')} (
      event ${text} not null,
      target ${text} not null,
      primary key (event, target)
    ) ${clustered}`.execute(db)
    await sql`create index ${name('subscriptions_target')} on ${name('subscriptions')} (target)`.execute(db)
  },
})
