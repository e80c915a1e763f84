import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** What accounts write to customers about appointments, and the pages where these answer. */
export const customers = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  const { text, integer, clustered } = ddl
  return [
    sql`alter table ${name('accounts')} add column telephone ${text}`,
    sql`alter table ${name('accounts')} add column confirmation_rdv_depuis ${text}`,
    sql`alter table ${name('accounts')} add column rappel_rdv_depuis ${text}`,
    sql`create table ${name('rdv_pages')} (
      hash ${text} not null primary key,
      account_id ${text} not null,
      rdv_id ${integer} not null,
      foreign key (account_id, rdv_id) references ${name('rdv')} (account_id, id)
    ) ${clustered}`,
    sql`create index ${name('rdv_pages_rdv')} on ${name('rdv_pages')} (account_id, rdv_id)`,
  ]
}
