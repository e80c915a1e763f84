import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** What was imported from another system, and the numbers that cases had there. */
export const moving = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl: { text, integer, clustered } }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  return [
    sql`alter table ${name('cases')} add column reference_origine ${text}`,
    sql`create index ${name('cases_origin')} on ${name('cases')} (account_id, reference_origine, id)
      where reference_origine is not null`,
    sql`create table ${name('imported_rows')} (
      account_id ${text} not null references ${name('accounts')} (id),
      type ${text} not null,
      cle ${text} not null,
      id ${integer} not null,
      empreinte ${text},
      primary key (account_id, type, cle)
    ) ${clustered}`,
    sql`create index ${name('clients_email')} on ${name('clients')} (account_id, recherche_email, id)`,
    sql`create index ${name('imported_rows_id')} on ${name('imported_rows')} (account_id, type, id)`,
  ]
}
