import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Each process counts calls by itself. */
export const limitsPerProcess = (_: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`drop table ${name('buckets')}`.execute(db)
  },
})
