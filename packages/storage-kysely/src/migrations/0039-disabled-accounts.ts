import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Accounts that are disabled, limited or erased. */
export const disabledAccounts = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl }: Dialect, name: NameOf): readonly RawBuilder<unknown>[] {
  const { text, integer, clustered } = ddl
  return [
    sql`alter table ${name('accounts')} add column desactive_le ${text}`,
    sql`alter table ${name('accounts')} add column dossiers_par_mois ${integer}`,
    sql`alter table ${name('accounts')} add column stockage_octets ${integer}`,
    sql`create index ${name('accounts_disabled')} on ${name('accounts')} (id) where desactive_le is not null`,
    sql`alter table ${name('files')} add column taille ${integer}`,
    // Of an account that is gone: they refer to no other table.
    sql`create table ${name('erased_accounts')} (
      id ${text} primary key,
      begun_at ${text} not null,
      chain_erased_at ${text},
      date ${text},
      sequence ${integer},
      hash_entree ${text}
    )`,
    sql`create table ${name('erased_entries')} (
      account_id ${text} not null,
      sequence ${integer} not null,
      version ${integer} not null,
      reference ${text} not null,
      date ${text} not null,
      hash_dossier ${text} not null,
      hash_precedent ${text} not null,
      hash_entree ${text} not null,
      primary key (account_id, sequence)
    ) ${clustered}`,
    ...ddl.forgetWords('cases', name),
    ...ddl.forgetWords('clients', name),
  ]
}
