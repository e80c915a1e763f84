import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Clients that are companies. */
export const companies = ({ ddl: { text } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`alter table ${name('clients')} add column raison_sociale ${text}`.execute(db)
  },
})
