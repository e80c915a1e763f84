import { sql } from 'kysely'
import { type SearchedTable, searched } from '../statements/dialect.js'
import { statement } from '../statements/statement.js'
import type { TableNames } from '../tables/names.js'
import { keysOf } from '../tables/rows.js'
import { pathOf } from './dialect.js'

/**
 * How long words wait to be indexed. A longer wait makes larger batches: indexing a case takes 110 µs in a batch of
 * 1,000, and 330 in one of 250. But a search takes 2 µs longer for each waiting case.
 */
const everyMs = 1000

/** Moves waiting words into the indexes. Only the owner of an index may do that. */
export function indexingWords(names: Pick<TableNames, 'schema'>) {
  const indexing = (table: SearchedTable) =>
    sql`gin_clean_pending_list(to_regclass(${pathOf(names, `${table}_words`)}))`
  return statement(() => sql<never>`select ${sql.join(keysOf(searched).map(indexing))}`)
}

/**
 * Indexes the words of added rows some time after the commit, in batches, so that no caller waits for it. A search
 * reads the waiting rows one by one.
 */
export class WordIndexing {
  readonly #index: () => Promise<unknown>
  #timer: NodeJS.Timeout | null = null

  constructor(index: () => Promise<unknown>) {
    this.#index = index
  }

  /** Call it after each commit that may have added words. */
  committed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      // The next commit tries again. For a role that is not the owner, the server's autovacuum does it later.
      this.#index().catch(() => {})
    }, everyMs).unref()
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}
