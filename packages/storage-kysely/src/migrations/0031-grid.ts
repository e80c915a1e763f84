import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** At which times an account sends somebody. */
export const grid = ({ ddl: { integer } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`alter table ${name('accounts')} add column pas ${integer} not null default 15`.execute(db)
  },
})
