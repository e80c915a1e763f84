import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Lists are sorted by keys. */
export const sortKeys = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    const { text } = dialect.ddl
    await sql`alter table ${name('poseurs')} add column tri_nom ${text} not null default ''`.execute(db)
    await sql`drop index ${name('poseurs_name')}`.execute(db)
    await sql`drop index ${name('clients_name')}`.execute(db)
    await sql`create index ${name('poseurs_tri')} on ${name('poseurs')} (account_id, tri_nom, id)`.execute(db)
  },
})
