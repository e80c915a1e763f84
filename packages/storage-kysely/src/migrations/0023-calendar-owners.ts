import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Whose the address of a calendar is. What is there stays the account's, and is known as made before. */
export const calendarOwners = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  const { text, integer, clustered } = ddl
  const before = name('calendriers_anterieurs')
  return [
    // No database replaces a primary key in the same words as another.
    sql`create table ${before} as select account_id, cible, hash, date_creation from ${name('calendriers')}`,
    sql`drop table ${name('calendriers')}`,
    // `proprietaire_id` is that of a key or a person, and empty for the account: a null could not be part of the key.
    sql`create table ${name('calendriers')} (
      account_id ${text} not null references ${name('accounts')} (id),
      cible ${integer} not null,
      proprietaire_type ${text} not null,
      proprietaire_id ${text} not null,
      hash ${text} not null,
      date_creation ${text} not null,
      primary key (account_id, cible, proprietaire_id)
    ) ${clustered}`,
    sql`insert into ${name('calendriers')} (account_id, cible, proprietaire_type, proprietaire_id, hash, date_creation)
      select account_id, cible, 'anterieur', '', hash, date_creation from ${before}`,
    sql`create unique index ${name('calendriers_hash')} on ${name('calendriers')} (hash)`,
    sql`drop table ${before}`,
  ]
}
