import { sql } from 'kysely'
import type { Definitions } from '../statements/dialect.js'

/** Searches and statistics. */
export const insight: Definitions = ({ indexWords }, name) => [
  ...indexWords('cases', name),
  ...indexWords('clients', name),
  // Creating a case writes to none of these indexes.
  sql`create index ${name('cases_cloture')} on ${name('cases')} (account_id, date_cloture, date_creation, type_probleme)
    where date_cloture is not null`,
  sql`create index ${name('case_history_reouverture')} on ${name('case_history')} (account_id, date, case_id)
    where type = 'reouverture'`,
  sql`create index ${name('interventions_date')} on ${name('interventions')} (account_id, date_debut, case_id)`,
]
