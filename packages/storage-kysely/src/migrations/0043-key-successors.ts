import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** The key that took the place of one that was rolled. */
export const keySuccessors = ({ ddl: { text } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`alter table ${name('api_keys')} add column successor_id ${text}`.execute(db)
  },
})
