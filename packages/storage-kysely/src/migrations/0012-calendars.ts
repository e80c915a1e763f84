import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Addresses of calendars that other programs subscribe to. */
export const calendars = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  const { text, integer, clustered } = ddl
  return [
    // `cible` is a poseur's id, and 0 the whole account's calendar: a null could not be part of the key.
    sql`create table ${name('calendriers')} (
      account_id ${text} not null references ${name('accounts')} (id),
      cible ${integer} not null,
      hash ${text} not null,
      date_creation ${text} not null,
      primary key (account_id, cible)
    ) ${clustered}`,
    sql`create unique index ${name('calendriers_hash')} on ${name('calendriers')} (hash)`,
  ]
}
