import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Accounts that are disabled, limited or erased, and what their files take. */
export const accountsOfAService = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl: { text, integer, clustered } }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  return [
    sql`alter table ${name('accounts')} add column desactive_le ${text}`,
    sql`alter table ${name('accounts')} add column dossiers_max_mois ${integer}`,
    sql`alter table ${name('accounts')} add column stockage_max_octets ${integer}`,
    // Few beside the others, most of the time none.
    sql`create index ${name('accounts_desactives')} on ${name('accounts')} (id) where desactive_le is not null`,
    // Beside the contents, so that to add them up reads none of these.
    sql`create table ${name('file_sizes')} (
      account_id ${text} not null,
      sha256 ${text} not null,
      taille ${integer} not null,
      primary key (account_id, sha256)
    ) ${clustered}`,
    sql`insert into ${name('file_sizes')} (account_id, sha256, taille)
      select account_id, sha256, length(content) from ${name('files')}`,
    sql`create table ${name('comptes_effaces')} (
      id ${text} primary key,
      sequence ${integer} not null,
      hash_entree ${text},
      date ${text} not null
    )`,
  ]
}
