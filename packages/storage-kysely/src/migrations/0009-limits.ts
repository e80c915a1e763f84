import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** The buckets that all processes draw from, and rows of the audit that stand for many calls. */
export const limits = ({ ddl }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    const definitions = [
      sql`create table ${name('buckets')} (
        name ${ddl.text} primary key,
        full_at ${ddl.integer} not null
      )`,
      ...ddl.fillFactor(name('buckets'), 70),
      sql`alter table ${name('audit')} add column calls ${ddl.integer} not null default 1`,
    ]
    for (const definition of definitions) await definition.execute(db)
  },
})
