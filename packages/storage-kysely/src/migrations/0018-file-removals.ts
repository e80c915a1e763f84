import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Contents of files that lie outside of the store, and that no case may hold. */
export const fileRemovals = ({ ddl: { text, clustered } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`create table ${name('file_removals')} (
      account_id ${text} not null,
      sha256 ${text} not null,
      remove_at ${text} not null,
      begun_at ${text},
      primary key (account_id, sha256)
    ) ${clustered}`.execute(db)
    await sql`create index ${name('file_removals_due')} on ${name('file_removals')} (remove_at)`.execute(db)
  },
})
