import { sql } from 'kysely'
import type { Definitions } from '../statements/dialect.js'

/** Searches, statistics, and what somebody of the shop must look at. */
export const insight: Definitions = ({ text, integer, clustered, indexWords }, name) => [
  ...indexWords('cases', name),
  ...indexWords('clients', name),
  // None of them is written to when a case is created.
  sql`create index ${name('cases_cloture')} on ${name('cases')} (account_id, date_cloture, date_creation, type_probleme)
    where date_cloture is not null`,
  sql`create index ${name('case_history_reouverture')} on ${name('case_history')} (account_id, date, case_id)
    where type = 'reouverture'`,
  sql`create index ${name('interventions_date')} on ${name('interventions')} (account_id, date_debut, case_id)`,

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
]
