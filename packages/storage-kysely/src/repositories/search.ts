import { type SoughtWord, telephoneWords } from '@sav/core/adapter'
import { type Client, fold, sortKey, soughtWords, wordsKept } from '@sav/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Dialect, type SearchedTable, searched } from '../statements/dialect.js'
import { type Bindings, type QueryParams, type Statement, shapes, statement } from '../statements/statement.js'

/** The longest stored word, in UTF-16 units. No search has a longer word, and PostgreSQL indexes none beyond 2 KB. */
const maxWordLength = 600

/** The stored folded text of names, addresses and references. */
export function searchable(text: string): string {
  return withoutEndless(fold(text))
}

/** The stored text of a reference, with its number alone as well, as people say it. */
export function searchableReference(reference: string): string {
  const words = searchable(reference)
  return `${words} ${Number(words.slice(words.lastIndexOf(' ') + 1))}`
}

/** The stored text of descriptions and comments, with the stems of their words. */
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

/** The prefix of stored words that only readers of clients may find. No word in a search contains it. */
const contactMark = '¬'

/** Folded words that only readers of clients may find. */
const contactWords = (words: readonly string[]) => words.map((word) => `${contactMark}${word}`)

/** The stored text of an e-mail address. */
export const searchableEmail = (email: string): string => contactWords(distinct([searchable(email)])).join(' ')

/**
 * The stored text of a client, in the client's row and in each case. Name and town, which rows of cases and
 * appointments show, come first; the other words are marked as contact words.
 */
export function searchableClient({
  nom,
  prenom,
  raison_sociale,
  telephone,
  adresse,
  lieu,
}: Pick<Omit<Client, 'id'>, 'nom' | 'prenom' | 'raison_sociale' | 'telephone' | 'adresse' | 'lieu'>): string {
  const { ligne1, code_postal, ville } = lieu ?? {}
  const words = (fields: readonly (string | null | undefined)[]) => fields.map((field) => searchable(field ?? ''))
  const shown = distinct(words([nom, prenom, ville]))
  const numbers = telephoneWords(telephone ?? '')
  const contact = distinct([...words([raison_sociale, adresse, ligne1, code_postal]), ...numbers])
  return [...shown, ...contactWords(contact.filter((word) => !shown.includes(word)))].join(' ')
}

/** Sorts after every town, so that clients without one come last. */
const noTown = '\u{ffff}'

/** The sort key of clients by town. */
export const sortedTown = (lieu: Client['lieu']): string => (lieu?.ville ? sortKey(lieu.ville) : noTown)

/** The distinct words of all texts. */
const distinct = (texts: readonly string[]) =>
  [...new Set(texts.flatMap((text) => text.split(' ')))].filter((word) => word !== '')

/**
 * The longest stored text, in UTF-16 units. PostgreSQL indexes 1 MB of a row, including the account's name before each
 * word.
 */
const maxKept = 40_000

/** `kept` with the new words of `added`, up to some ten thousand words. */
export function keptWith(kept: string, added: string): string {
  const all = distinct([kept, searchableText(added)]).join(' ')
  return all.length <= maxKept ? all : all.slice(0, all.lastIndexOf(' ', maxKept))
}

/**
 * The values that a search binds: `search` for the index of words, and for each word the patterns of its beginnings:
 * `mot_0_0`, `mot_0_1`, `mot_1_0` …; `client_0_0` … match only the text of the client.
 */
export type Search = { readonly search?: string | undefined } & {
  readonly [pattern: `mot_${number}_${number}`]: string
} & { readonly [pattern: `client_${number}_${number}`]: string }

/** The words as typed. `ofClient` is searched only in the text of the client. */
export interface SearchedText {
  readonly recherche?: string | undefined
  readonly ofClient?: readonly (string | undefined)[]
  /** Words that only readers of clients may find do not match. */
  readonly withoutContact?: true | undefined
}

export function searchOf(
  account_id: string,
  { recherche = '', ofClient = [], withoutContact }: SearchedText,
  dialect: Dialect,
): Search {
  const found = ({ word, beginnings }: SoughtWord): SoughtWord => ({
    word,
    beginnings: withoutContact ? beginnings : [...beginnings, ...contactWords([word])],
  })
  const clients = ofClient
    .flatMap((text) => soughtWords(text ?? ''))
    .map(({ word }) => found({ word, beginnings: [word] }))
  const words = [...soughtWords(recherche).map(found), ...clients]
  if (words.length === 0) return {}
  return {
    search: dialect.searchOf(account_id, words),
    ...Object.fromEntries([...patternsOf('mot', words), ...patternsOf('client', clients)]),
  }
}

const patternsOf = (name: 'mot' | 'client', words: readonly SoughtWord[]) =>
  words.flatMap(({ beginnings }, at) =>
    beginnings.map((beginning, form) => [`${name}_${at}_${form}`, `% ${beginning}%`] as const),
  )

/** Sorting more matches than this takes longer than walking through the list and checking each row. */
export const maxSorted = 5000

/**
 * The search that finds a page of `total` matches most quickly. With many matches it has no `search`: the list is read
 * in its order, and the words of each row are checked.
 */
export function searchingPage(search: Search, total: number): Search {
  return total > maxSorted ? { ...search, search: undefined } : search
}

/** The number of matches in an index of words, as far as `searchingPage` needs it. */
export const countFoundOf = (
  table: SearchedTable,
): ((values: Bindings) => Statement<SearchParams, { readonly total: number }>) =>
  shapes((bound) =>
    statement(
      (_, p: QueryParams<SearchParams>, dialect) =>
        sql<{ readonly total: number }>`select count(*) as total
          from (select id from ${found(table, bound, p, dialect)} as words limit ${sql.lit(maxSorted + 1)}) as found`,
    ),
  )

type SearchParams = Search & { readonly account_id: string }

/** Ids of the account's rows that contain every word, by the index of words. */
export function found(
  table: SearchedTable,
  bound: ReadonlySet<string>,
  p: QueryParams<SearchParams>,
  dialect: Dialect,
): RawBuilder<number> {
  const unindexed = sql<SqlBool>`account_id = ${p('account_id')} and ${holdsWords(table, bound, p)}`
  return sql`(${dialect.found(table, p('search'), unindexed)})`
}

/**
 * Whether a row contains every word. It is written so that planners expect nearly every row to match: they assume that
 * patterns rarely match, and would sort the whole list instead of walking through it.
 */
export function holdsWords(
  table: SearchedTable,
  bound: ReadonlySet<string>,
  p: QueryParams<SearchParams>,
): RawBuilder<SqlBool> {
  const [first, second] = searched[table].map((column) => sql.ref(`${table}.${column}`))
  const isLike = (name: `mot_${number}_${number}`) => sql`' ' || ${first} || ' ' || ${second} like ${p(name)}`
  const patterns = [...bound].filter((name): name is `mot_${number}_${number}` => /^mot_\d+_\d+$/.test(name))
  return everyWord(patterns, isLike)
}

/** Whether the text in a row of `clients` contains every word that is searched only there; undefined without one. */
export function holdsWordsOfClient(
  bound: ReadonlySet<string>,
  p: QueryParams<SearchParams>,
): RawBuilder<SqlBool> | undefined {
  const isLike = (name: `client_${number}_${number}`) => sql`' ' || recherche_nom || ' ' like ${p(name)}`
  const patterns = [...bound].filter((name): name is `client_${number}_${number}` => /^client_\d+_\d+$/.test(name))
  return patterns.length === 0 ? undefined : everyWord(patterns, isLike)
}

/** Any form of each word, written as `holdsWords` explains. */
function everyWord<Name extends string>(
  patterns: readonly Name[],
  isLike: (name: Name) => RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  const words = [...Map.groupBy(patterns, (name) => name.split('_')[1]).values()]
  return sql`(${sql.join(
    words.map((forms) => sql`case when ${sql.join(forms.map(isLike), sql` or `)} then 1 else 0 end <> 0`),
    sql` and `,
  )})`
}
