import type { ClientFields } from '@sav/core/internal'
import type { Page } from '@sav/core/ports'
import { fold, soughtWords, wordsKept } from '@sav/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Dialect, type SearchedTable, searched } from '../statements/dialect.js'
import { type Named, shapes, statement } from '../statements/statement.js'

/** In UTF-16 units: no search is for a longer one, and PostgreSQL indexes none beyond 2 KB. */
const maxWordLength = 600

/** Folded text as names, addresses and references are kept. */
export function searchable(text: string): string {
  return withoutEndless(fold(text))
}

/** What is kept of a reference: its number alone as well, as people say it. */
export function searchableReference(reference: string): string {
  const words = searchable(reference)
  return `${words} ${Number(words.slice(words.lastIndexOf(' ') + 1))}`
}

/** What is kept of descriptions and comments: with the stems of their words. */
export function searchableText(text: string): string {
  return withoutEndless(wordsKept(text))
}

function withoutEndless(words: string): string {
  if (words.length <= maxWordLength) return words
  return words
    .split(' ')
    .map((word) => word.slice(0, maxWordLength))
    .join(' ')
}

/** What is kept of a client, there and beside each of the cases: whatever callers say of themselves. */
export function searchableClient({
  nom,
  prenom,
  raison_sociale,
  telephone,
  adresse,
  lieu,
}: Pick<ClientFields, 'nom' | 'prenom' | 'raison_sociale' | 'telephone' | 'adresse' | 'lieu'>): string {
  const { ligne1, code_postal, ville } = lieu ?? {}
  const words = [nom, prenom, raison_sociale, adresse, ligne1, code_postal, ville].map((field) =>
    searchable(field ?? ''),
  )
  return distinct([...words, ...soughtWords(telephone ?? '').map(({ word }) => word)])
}

const distinct = (texts: readonly string[]) => [...new Set(texts.flatMap((text) => text.split(' ')))].join(' ').trim()

/** In UTF-16 units. PostgreSQL indexes 1 MB of a row, the name of the account before each word included. */
const maxKept = 40_000

/** `kept` with what is new in `added`, up to some ten thousand words: a long conversation says little that is new. */
export function keptWith(kept: string, added: string): string {
  const all = distinct([kept, searchableText(added)])
  return all.length <= maxKept ? all : all.slice(0, all.lastIndexOf(' ', maxKept))
}

/**
 * What a search binds: `search` for the index of words, and of each word as patterns what it may begin with: `mot_0_0`,
 * `mot_0_1`, `mot_1_0` …; `client_0` is looked for in what is kept of the client alone.
 */
export type Search = { readonly search?: string | undefined } & {
  readonly [pattern: `mot_${number}_${number}`]: string
} & { readonly [pattern: `client_${number}`]: string }

/** All as they were typed; `ofClient` is looked for in what is kept of the client alone. */
export interface Sought {
  readonly recherche?: string | undefined
  readonly ofClient?: readonly (string | undefined)[]
}

export function searchOf(account_id: string, { recherche = '', ofClient = [] }: Sought, dialect: Dialect): Search {
  const clients = ofClient.flatMap((text) => soughtWords(text ?? '')).map(({ word }) => ({ word, beginnings: [word] }))
  const words = [...soughtWords(recherche), ...clients]
  if (words.length === 0) return {}
  const patterns = words.flatMap(({ beginnings }, at) =>
    beginnings.map((beginning, form) => [`mot_${at}_${form}`, `% ${beginning}%`]),
  )
  const patternsOfClient = clients.map(({ word }, at) => [`client_${at}`, `% ${word}%`])
  return { search: dialect.searchOf(account_id, words), ...Object.fromEntries([...patterns, ...patternsOfClient]) }
}

/** Of what was found, more than this takes longer to sort than a walk through the list that looks at each row. */
export const maxSorted = 5000

/** How best to find a page of `total` rows: without `search`, by the words of each row in the order of the list. */
export function searchingPage(search: Search, total: number): Search {
  return total > maxSorted ? { ...search, search: undefined } : search
}

/** How many an index of words holds, as far as it matters for `searchingPage`. */
export const countFoundOf = (table: SearchedTable) =>
  shapes((bound) =>
    statement(
      (_, p: Named<Searching>, dialect) =>
        sql<{ total: number }>`select count(*) as total
          from (select id from ${found(table, bound, p, dialect)} as words limit ${sql.lit(maxSorted + 1)}) as found`,
    ),
  )

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
  const isLike = (name: `mot_${number}_${number}`) => sql`' ' || ${first} || ' ' || ${second} like ${p(name)}`
  const patterns = [...bound].filter((name): name is `mot_${number}_${number}` => /^mot_\d+_\d+$/.test(name))
  const words = [...Map.groupBy(patterns, (name) => name.split('_')[1]).values()]
  return sql`(${sql.join(
    words.map((forms) => sql`case when ${sql.join(forms.map(isLike), sql` or `)} then 1 else 0 end <> 0`),
    sql` and `,
  )})`
}

export type Range = { readonly limit: number; readonly offset: number }

export function rangeOf({ page, limite }: Page): Range {
  return { limit: limite, offset: (page - 1) * limite }
}
