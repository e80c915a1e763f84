import type { Page } from '@sav/core/ports'
import { fold } from '@sav/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Dialect, type SearchedTable, searched } from '../statements/dialect.js'
import type { Named } from '../statements/statement.js'

/** In UTF-16 units: no search is for a longer one, and PostgreSQL indexes none beyond 2 KB. */
const maxWordLength = 600

/** The form in which text is kept for searches. */
export function searchable(text: string): string {
  const folded = fold(text)
  if (folded.length <= maxWordLength) return folded
  return folded
    .split(' ')
    .map((word) => word.slice(0, maxWordLength))
    .join(' ')
}

/** What a search binds: `search` for the index of words, and the words as patterns, `mot_0`, `mot_1` and so on. */
export type Search = { readonly search?: string | undefined } & { readonly [mot: `mot_${number}`]: string }

/** `recherche` is folded text. */
export function searchOf(account_id: string, recherche: string | undefined, dialect: Dialect): Search {
  const words = recherche?.split(' ').filter((word) => word !== '') ?? []
  if (words.length === 0) return {}
  const patterns = Object.fromEntries(words.map((word, index) => [`mot_${index}`, `% ${word}%`]))
  return { search: dialect.searchOf(account_id, words), ...patterns }
}

/** Of what was found, more than this takes longer to sort than a walk through the list that looks at each row. */
export const maxSorted = 5000

/** How best to find a page of `total` rows: without `search`, by the words of each row in the order of the list. */
export function searchingPage(search: Search, total: number): Search {
  return total > maxSorted ? { ...search, search: undefined } : search
}

type Searching = Search & { readonly account_id: string }

/** Ids of the rows of the account that hold every word, by the index of words. */
export function found(
  table: SearchedTable,
  bound: ReadonlySet<string>,
  p: Named<Searching>,
  dialect: Dialect,
): RawBuilder<number> {
  const unindexed = sql<SqlBool>`account_id = ${p('account_id')} and ${holdsWords(table, bound, p)}`
  return sql`(${dialect.found(table, p('search'), unindexed)})`
}

/**
 * Whether a row holds every word. Said so that planners think it of nearly every row: they take a pattern to be rare, and
 * would sort the whole list instead of walking through it.
 */
export function holdsWords(table: SearchedTable, bound: ReadonlySet<string>, p: Named<Searching>): RawBuilder<SqlBool> {
  const [first, second] = searched[table].map((column) => sql.ref(`${table}.${column}`))
  const words = [...bound].filter((name): name is `mot_${number}` => name.startsWith('mot_'))
  return sql`(${sql.join(
    words.map((name) => sql`case when ' ' || ${first} || ' ' || ${second} like ${p(name)} then 1 else 0 end <> 0`),
    sql` and `,
  )})`
}

export type Range = { readonly limit: number; readonly offset: number }

export function rangeOf({ page, limite }: Page): Range {
  return { limit: limite, offset: (page - 1) * limite }
}
