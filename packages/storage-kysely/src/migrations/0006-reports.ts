import { sql } from 'kysely'
import type { Definitions } from '../statements/dialect.js'

/** Reception reports. */
export const reports: Definitions = ({ text, integer }, name) => [
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
  // The worker reads this index over all accounts. It has few rows at any time.
  sql`create index ${name('reports_undrawn')} on ${name('reports')} (created_at, account_id, sequence)
    where pdf is null and erased_at is null`,
  sql`create index ${name('reports_waiting')} on ${name('reports')} (created_at, account_id, sequence)
    where statut = 'en_file'`,
  sql`create index ${name('reports_failed')} on ${name('reports')} (account_id, sequence)
    where statut = 'echec' and erased_at is null`,
]
