import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** By how much the clock of a phone was wrong that closed a case. */
export const fieldClock = ({ ddl: { integer } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`alter table ${name('cases')} add column decalage_ms ${integer}`.execute(db)
  },
})
