import { type RawBuilder, sql } from 'kysely'
import { type NameOf, type SearchedTable, searched } from '../dialect.js'

/** The name of a table in a query, which is given its real one when it is compiled. */
export const inQuery: NameOf = (table) => sql.table(table)

/** Everything up to it is in the index of words. */
export const lastIndexed = (table: SearchedTable, name: NameOf): RawBuilder<number> =>
  sql`coalesce((select max(id) from ${name(`${table}_words_docsize`)}), 0)`

/** What the index holds of a row: its words, and the account's own, which has a sign that is in no other. */
export function wordsOf(table: SearchedTable): RawBuilder<string> {
  const columns = searched[table].map((column) => sql.ref(column))
  return sql`${sql.join([sql`'§' || hex(account_id)`, ...columns], sql` || ' ' || `)}`
}
