import { sql } from 'kysely'
import type { Definitions } from '../statements/dialect.js'

/** The saved views of callers. */
export const views: Definitions = ({ text, clustered }, name) => [
  sql`create table ${name('vues')} (
    account_id ${text} not null references ${name('accounts')} (id),
    titulaire ${text} not null,
    vues ${text} not null,
    primary key (account_id, titulaire)
  ) ${clustered}`,
]
