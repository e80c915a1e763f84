import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Reception reports, what the account prints on them, erasure, and time stamps of the evidence. */
export const reports = (dialect: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const definition of definitions(dialect, name)) await definition.execute(db)
  },
})

function definitions({ ddl: { text, integer, bytes, clustered } }: Dialect, name: NameOf): RawBuilder<unknown>[] {
  return [
    sql`alter table ${name('accounts')} add column assureur ${text}`,
    sql`alter table ${name('accounts')} add column mediateur ${text}`,
    sql`alter table ${name('accounts')} add column logo ${text}`,
    sql`create table ${name('account_logos')} (
      account_id ${text} not null references ${name('accounts')} (id),
      sha256 ${text} not null,
      media_type ${text} not null,
      content ${bytes} not null,
      primary key (account_id, sha256)
    )`,
    sql`alter table ${name('clients')} add column efface_le ${text}`,
    sql`alter table ${name('deliveries')} add column intended_at ${text}`,

    sql`create table ${name('reports')} (
      account_id ${text} not null,
      sequence ${integer} not null,
      case_id ${integer} not null,
      reference ${text} not null,
      event_id ${text},
      statut ${text} not null,
      canal ${text},
      pdf ${text},
      erased_at ${text},
      created_at ${text} not null,
      primary key (account_id, sequence),
      foreign key (account_id, case_id) references ${name('cases')} (account_id, id)
    )`,
    sql`create index ${name('reports_case')} on ${name('reports')} (account_id, case_id, sequence)`,
    sql`create index ${name('reports_event')} on ${name('reports')} (account_id, event_id) where event_id is not null`,
    // What a worker looks for, of every account: few at any time.
    sql`create index ${name('reports_undrawn')} on ${name('reports')} (created_at, account_id, sequence) where pdf is null and erased_at is null`,
    sql`create index ${name('reports_waiting')} on ${name('reports')} (created_at, account_id, sequence) where statut = 'en_file'`,

    sql`create index ${name('evidence_entries_hash')} on ${name('evidence_entries')} (hash_dossier)`,
    sql`create table ${name('evidence_stamps')} (
      account_id ${text} not null,
      sequence ${integer} not null,
      hash_entree ${text} not null,
      date ${text} not null,
      token ${bytes} not null,
      primary key (account_id, sequence)
    ) ${clustered}`,
  ]
}
