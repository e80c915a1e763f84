import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** What somebody of the shop must look at, and what that is found by. */
export const toDealWith = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  const { text, integer, clustered } = ddl
  return [
    sql`create table ${name('a_traiter')} (
      account_id ${text} not null references ${name('accounts')} (id),
      id ${text} not null,
      type ${text} not null,
      rdv_id ${integer},
      sav_id ${integer},
      client_id ${integer},
      depuis ${text} not null,
      debut ${text},
      texte ${text},
      fait_le ${text},
      fait_par ${text},
      primary key (account_id, id)
    ) ${clustered}`,
    sql`create index ${name('a_traiter_open')} on ${name('a_traiter')} (account_id, depuis, id) where fait_le is null`,
    sql`create index ${name('a_traiter_client')} on ${name('a_traiter')} (account_id, client_id)
      where client_id is not null`,
    sql`create index ${name('reports_failed')} on ${name('reports')} (account_id, sequence)
      where statut = 'echec' and erased_at is null`,
    // When the customer was found absent, by whom, and what the appointment was before.
    sql`alter table ${name('rdv')} add column absence ${text}`,
    sql`alter table ${name('agendas')} add column absences_depuis ${text}`,
    sql`alter table ${name('accounts')} add column prevenir_bureau_depuis ${text}`,
  ]
}
