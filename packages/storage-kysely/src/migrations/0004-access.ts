import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** The audit of calls, answers kept for repeated requests, and what the processes of an installation tell each other. */
export const access = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl: { text, integer, clustered } }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  return [
    sql`alter table ${name('api_keys')} add column last_used_at ${text}`,

    // No account refers to it: a call whose caller is unknown is kept as well, under an empty account.
    sql`create table ${name('audit')} (
      account_id ${text} not null,
      time ${text} not null,
      id ${text} not null,
      ip ${text} not null,
      method ${text} not null,
      endpoint ${text} not null,
      key_id ${text},
      status ${integer} not null,
      duration_ms ${integer} not null,
      request_id ${text} not null,
      primary key (account_id, time, id)
    ) ${clustered}`,
    sql`create index ${name('audit_key')} on ${name('audit')} (account_id, key_id, time, id) where key_id is not null`,

    sql`create table ${name('answers')} (
      account_id ${text} not null,
      key_id ${text} not null,
      request ${text} not null,
      body ${text} not null,
      status ${integer} not null,
      answer ${text} not null,
      created_at ${text} not null,
      primary key (account_id, key_id, request)
    )`,
    sql`create index ${name('answers_created')} on ${name('answers')} (created_at)`,

    sql`create table ${name('processes')} (
      id ${text} primary key,
      at ${text} not null,
      says ${text} not null
    )`,
  ]
}
