import { sql } from 'kysely'
import type { Definitions } from '../statements/dialect.js'

/** Contents of files, and the contents outside the database that are to be removed if no case holds them. */
export const files: Definitions = ({ text, integer, bytes, clustered }, name) => [
  sql`create table ${name('files')} (
    account_id ${text} not null references ${name('accounts')} (id),
    sha256 ${text} not null,
    media_type ${text} not null,
    content ${bytes} not null,
    taille ${integer} not null,
    primary key (account_id, sha256)
  )`,

  sql`create table ${name('file_removals')} (
    account_id ${text} not null,
    sha256 ${text} not null,
    remove_at ${text} not null,
    begun_at ${text},
    primary key (account_id, sha256)
  ) ${clustered}`,
  sql`create index ${name('file_removals_due')} on ${name('file_removals')} (remove_at)`,
]
