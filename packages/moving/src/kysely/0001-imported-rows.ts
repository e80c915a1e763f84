import type { Definitions } from '@sav/storage-kysely/feature'
import { sql } from 'kysely'

/** Rows imported from another system. */
export const importedRows: Definitions = ({ text, integer, clustered }, name) => [
  sql`create table ${name('imported_rows')} (
    account_id ${text} not null references ${name('accounts')} (id),
    type ${text} not null,
    cle ${text} not null,
    id ${integer} not null,
    empreinte ${text},
    primary key (account_id, type, cle)
  ) ${clustered}`,
  sql`create index ${name('imported_rows_id')} on ${name('imported_rows')} (account_id, type, id)`,
]
