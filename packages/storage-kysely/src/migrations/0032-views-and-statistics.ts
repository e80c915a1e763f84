import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect, NameOf } from '../statements/dialect.js'

/** Filters that people want back, wherever they are signed in, and what numbers are read by. */
export const viewsAndStatistics = ({ ddl: { text, clustered } }: Dialect, name: NameOf): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`create table ${name('vues')} (
      account_id ${text} not null references ${name('accounts')} (id),
      titulaire ${text} not null,
      vues ${text} not null,
      primary key (account_id, titulaire)
    ) ${clustered}`.execute(db)
    // None of them is written to when a case is created.
    await sql`create index ${name('cases_cloture')} on ${name('cases')} (account_id, date_cloture, date_creation, type_probleme)
      where date_cloture is not null`.execute(db)
    await sql`create index ${name('case_history_reouverture')} on ${name('case_history')} (account_id, date, case_id)
      where type = 'reouverture'`.execute(db)
    await sql`create index ${name('interventions_date')} on ${name('interventions')} (account_id, date_debut, case_id)`.execute(
      db,
    )
  },
})
