import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Connection } from '../statements/connection.js'
import { type SearchedTable, searched } from '../statements/dialect.js'
import { type CompiledStatements, type QueryParams, statement } from '../statements/statement.js'
import { keysOf } from '../tables/rows.js'
import { inQuery, lastIndexed, wordsOf } from './dialect.js'

/**
 * Fewer rows than this are not indexed yet: one by one, they would take three times as long as creating their cases.
 */
const fewestRows = 32

/**
 * Rows of a step, and characters of their words: some 5 ms of work. 256 rows took 10 ms, and up to 19 on a busy
 * machine.
 */
const rowsPerStep = 128
const charactersPerStep = 20_000

/** Pages of 4 KB of an index of words: some 3 ms. SQLite's own merges took up to 400 ms at 150,000 cases. */
const pagesPerMerge = 16

/** The pause after a step, for callers. The steps still keep up with 4,000 creations a second. */
const pauseMs = 20

/** How many of the next rows are indexed at once, given the characters of `rowsPerStep` of them. */
export const rowsAtOnce = (characters: number): number =>
  Math.max(1, Math.min(rowsPerStep, Math.floor((rowsPerStep * charactersPerStep) / characters)))

export interface IndexedDatabase {
  /** Takes its turn like a caller, and shares the callers' commits. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  readonly reads: Connection
  /** Whether callers had a turn a moment ago. */
  readonly isBusy: () => boolean
}

const countChanges = statement(() => sql<{ changes: number }>`select total_changes() as changes`)

const indexesOf = (table: SearchedTable) => ({
  countWaiting: statement(
    () => sql<{ rows: number }>`
      select coalesce((select max(id) from ${inQuery(table)}), 0) - ${lastIndexed(table, inQuery)} as rows`,
  ),
  /** The characters of the words of the next rows. */
  measureNext: statement(
    (_, p: QueryParams<{ limit: number }>) => sql<{ characters: number }>`
      select coalesce(sum(length(words)), 0) as characters from (
        select ${wordsOf(table)} as words from ${inQuery(table)}
        where id > ${lastIndexed(table, inQuery)} order by id limit ${p('limit')})`,
  ),
  indexNext: statement(
    (_, p: QueryParams<{ limit: number }>) => sql<never>`
      insert into ${inQuery(`${table}_words`)} (rowid, words) select id, ${wordsOf(table)} from ${inQuery(table)}
      where id > ${lastIndexed(table, inQuery)} order by id limit ${p('limit')}`,
  ),
  merge: statement((_, p: QueryParams<{ pages: number }>) => {
    const words = inQuery(`${table}_words`)
    return sql<never>`insert into ${words} (${words}, rank) values ('merge', ${p('pages')})`
  }),
})

const indexes = { cases: indexesOf('cases'), clients: indexesOf('clients') }

/**
 * Puts the words of added rows into their indexes, later and in steps, each of which takes its turn like a caller's
 * transaction. Thousands of rows at once would keep all callers waiting. `Dialect.found` also finds rows that are not
 * indexed yet.
 */
export class WordIndexing {
  readonly #database: IndexedDatabase
  readonly #statements: CompiledStatements
  readonly #closed = new AbortController()
  #isRunning = false
  #mayHaveMore = false
  #merging = Promise.resolve()
  #nextMerge: Promise<void> | null = null

  constructor(database: IndexedDatabase, statements: CompiledStatements) {
    this.#database = database
    this.#statements = statements
  }

  /**
   * Called after each commit: indexes the waiting rows soon afterwards. After a failure, the next commit tries again.
   * The process stays alive until the rows are indexed or the database is closed.
   */
  async look(): Promise<void> {
    this.#mayHaveMore = true
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      while (this.#mayHaveMore) {
        this.#mayHaveMore = false
        await this.#pause()
        for (const table of tablesSearched) await this.#indexAll(table)
      }
    } catch {
      // The store is closed or not migrated yet, or the disk is full. The next write reports it.
    } finally {
      this.#isRunning = false
    }
  }

  /**
   * Merges each index into one segment. Until then, a deleted word is only marked there. A million cases take 20 s.
   * Callers that arrive meanwhile share the next run, since this one may have passed what they deleted.
   */
  mergeAll(): Promise<void> {
    this.#nextMerge ??= this.#merging.then(() => {
      this.#nextMerge = null
      const merging = this.#mergeEach()
      this.#merging = merging.catch(() => {})
      return merging
    })
    return this.#nextMerge
  }

  async #mergeEach(): Promise<void> {
    for (const table of tablesSearched) {
      // A negative number also starts a merge that SQLite would not consider due.
      for (let pages = -pagesPerMerge; await this.#merge(table, pages); pages = pagesPerMerge) await setTimeout(0)
    }
  }

  async #indexAll(table: SearchedTable): Promise<void> {
    const { reads } = this.#database
    const count = this.#statements.bind(indexes[table].countWaiting, {})
    for (let isMerged = true; ; ) {
      const [found] = (await reads.executeQuery(count)).rows
      const isWaiting = found !== undefined && found.rows >= fewestRows
      if (!isWaiting && isMerged) return
      if (isWaiting) await this.#indexNext(table)
      isMerged = !(await this.#merge(table, pagesPerMerge))
      await this.#pause(this.#database.isBusy() ? pauseMs : 0)
    }
  }

  async #indexNext(table: SearchedTable): Promise<void> {
    const { measureNext, indexNext } = indexes[table]
    const measure = this.#statements.bind(measureNext, { limit: rowsPerStep })
    const [next] = (await this.#database.reads.executeQuery(measure)).rows
    const index = this.#statements.bind(indexNext, { limit: rowsAtOnce(next?.characters ?? 0) })
    await this.#database.transaction((connection) => connection.executeQuery(index))
  }

  /** Merges about that many pages. Resolves to false when there was nothing left to merge. */
  #merge(table: SearchedTable, pages: number): Promise<boolean> {
    const merge = this.#statements.bind(indexes[table].merge, { pages })
    return this.#database.transaction(async (connection) => {
      const changes = async () => {
        const { rows } = await connection.executeQuery(this.#statements.bind(countChanges, {}))
        return rows[0]?.changes ?? 0
      }
      const before = await changes()
      await connection.executeQuery(merge)
      // Fewer than two changes mean that nothing was left to merge (FTS5 §6.8).
      return (await changes()) - before >= 2
    })
  }

  /** Ends `look`, so that the process does not wait for one of its pauses. */
  close(): void {
    this.#closed.abort()
  }

  #pause(ms = pauseMs): Promise<void> {
    return setTimeout(ms, undefined, { signal: this.#closed.signal })
  }
}

const tablesSearched = keysOf(searched)
