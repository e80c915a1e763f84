import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** What is imported: companies, the numbers that cases had elsewhere, and by what a row of a file is known again. */
export const moving = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl: { text, integer, clustered } }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  return [
    sql`alter table ${name('clients')} add column raison_sociale ${text}`,
    sql`alter table ${name('cases')} add column reference_origine ${text}`,
    sql`create index ${name('cases_reference_origine')} on ${name('cases')} (account_id, reference_origine, id)
      where reference_origine is not null`,
    sql`create table ${name('imports')} (
      account_id ${text} not null references ${name('accounts')} (id),
      type ${text} not null,
      cle ${text} not null,
      objet_id ${integer} not null,
      client_id ${integer},
      empreinte ${text} not null,
      primary key (account_id, type, cle)
    ) ${clustered}`,
    sql`create index ${name('imports_client')} on ${name('imports')} (account_id, client_id) where client_id is not null`,
  ]
}
