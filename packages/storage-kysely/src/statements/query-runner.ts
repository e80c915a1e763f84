import { yieldWhenLong } from '@sav/core/adapter'
import { asSelected } from '../tables/rows.js'
import type { StoreTables } from '../tables/store-tables.js'
import { type Batch, DeferredRows } from './commit-sharing.js'
import { type Connection, hasEnded } from './connection.js'
import type { Dialect } from './dialect.js'
import type { Cells, RowsStatement, SharedLookUp } from './rows-statement.js'
import type { Bindings, CompiledStatements, LookUp, Statement } from './statement.js'
import type { StoreClock } from './store-clock.js'

/** Runs statements on one connection. */
export class QueryRunner {
  readonly #statements: CompiledStatements
  readonly #connection: Connection
  readonly #locks: boolean
  /** Set by a statement that makes a delivery due. The commit then wakes the workers. */
  leavesDue = false
  readonly #deferred = new DeferredRows()
  /** Why deferred rows could not be written. */
  #writeError: unknown

  constructor(statements: CompiledStatements, connection: Connection) {
    this.#statements = statements
    this.#connection = connection
    this.#locks = connection.isTransaction && statements.dialect.locksRows
  }

  get dialect(): Dialect {
    return this.#statements.dialect
  }

  get tables(): StoreTables {
    return this.#statements.tables
  }

  get clock(): StoreClock {
    return this.#statements.clock
  }

  async all<P extends Bindings, O>(statement: Statement<P, O>, values: P): Promise<O[]> {
    const wait = this.#readyFor(statement, values)
    if (wait !== undefined) await wait
    return (await this.#connection.executeQuery(this.#statements.bind(statement, values))).rows
  }

  async first<P extends Bindings, O>(statement: Statement<P, O>, values: P): Promise<O | null> {
    return (await this.all(statement, values))[0] ?? null
  }

  /** See `CommitSharing.shareCommit`. A later lock ends the sharing. */
  shareCommit(key: string): Promise<unknown> | undefined {
    return this.#connection.sharing.shareCommit(key)
  }

  /** See `CommitSharing.shareCommitAmong`. A lock ends that as well. */
  shareCommitAmong(key: string): void {
    this.#connection.sharing.shareCommitAmong(key)
  }

  /** See `CommitSharing.batched`. */
  batched<A, R>(name: string, asked: A, ask: Batch<A, R>): Promise<R> {
    return this.#connection.sharing.batched(name, asked, ask)
  }

  /** Looks up a row. Inside a transaction the row is locked until the end. */
  async find<P extends Bindings, O>({ plain, locking }: LookUp<P, O>, values: P): Promise<O | null> {
    if (this.#locks) this.#connection.sharing.stopSharing()
    return this.first(this.#locks ? locking : plain, values)
  }

  /**
   * Like `find`. Outside a transaction, callers that look up `name` at the same moment share one statement: on
   * PostgreSQL, a third more creations a second.
   */
  async findBatched<C extends string, O>(
    name: string,
    { one, many }: SharedLookUp<C, O>,
    values: Cells<C>,
  ): Promise<O | null> {
    if (this.#connection.isTransaction) return this.find(one, values)
    return this.batched<Cells<C>, O | null>(name, values, async (asked) => {
      if (asked.length === 1) return [await this.first(one.plain, values)]
      const found: (O | null)[] = asked.map(() => null)
      const rows = asked.map((cells, n): Cells<C | 'n'> => ({ ...cells, n }))
      for (const { n, ...row } of await this.each(many, rows)) found.splice(n, 1, ...asSelected<O>([row]))
      return found
    })
  }

  /** Runs a statement that locks something until the end of the transaction, if the database needs that. */
  async lock<P extends Bindings>(statement: Statement<P, unknown>, values: P): Promise<void> {
    if (!this.#locks) return
    this.#connection.sharing.stopSharing()
    await this.#connection.executeQuery(this.#statements.bind(statement, values))
  }

  /** For statements that always return a row. */
  async one<P extends Bindings, O>(statement: Statement<P, O>, values: P): Promise<O> {
    const row = await this.first(statement, values)
    if (row === null) throw new Error('A statement that always returns a row returned none.')
    return row
  }

  /** All rows that `statement` returns for `rows`. */
  async each<C extends string, O>(statement: RowsStatement<C, O>, rows: readonly Cells<C>[]): Promise<O[]> {
    const returned: O[] = []
    for (const run of statement.runs(rows, this.#statements.dialect))
      returned.push(...(await this.all(run.statement, run.values)))
    return returned
  }

  /** For statements whose outcome is not needed. It waits only if a failure would not fail the transaction. */
  async send<P extends Bindings>(statement: Statement<P, unknown>, values: P): Promise<void> {
    await this.#deferredWritten(statement)
    const sent = this.#connection.executeQuery(this.#statements.bind(statement, values))
    if (this.#connection.failsAsWhole) sent.catch(() => {})
    else await sent
  }

  async sendEach<C extends string>(statement: RowsStatement<C, unknown>, rows: readonly Cells<C>[]): Promise<void> {
    for (const run of statement.runs(rows, this.#statements.dialect)) await this.send(run.statement, run.values)
  }

  /** Writes `rows` at the end of the transaction, or earlier if a statement might read them. */
  async defer<C extends string>(statement: RowsStatement<C, unknown>, rows: readonly Cells<C>[]): Promise<void> {
    if (!this.#connection.isOpen) throw hasEnded()
    this.#deferred.add(statement, rows)
  }

  /** The last step of a transaction: writes the deferred rows, or leaves them to the shared commit. */
  async end(): Promise<void> {
    if (!this.#deferred.isEmpty && !this.#connection.sharing.deferToCommit(this.#deferred)) await this.#writeDeferred()
    // The caller may have caught this error when a read, which writes the deferred rows first, threw it.
    if (this.#writeError !== undefined) throw this.#writeError
  }

  /**
   * What a statement waits for before it is sent; undefined: nothing. SQLite answers within the turn of the event loop
   * in which it is asked, so many reads in a row would be one long turn. Concurrent reads therefore run one after the
   * other, each in its own turn. A transaction continues at once, since others wait for its end.
   */
  #readyFor(statement: Statement<never, unknown>, { account_id }: Bindings): Promise<unknown> | undefined {
    if (this.#connection.isTransaction) return this.#deferredWritten(statement)
    return yieldWhenLong(typeof account_id === 'string' ? account_id : '')
  }

  /** Writes the deferred rows that the statement might read. Undefined if there is nothing to wait for. */
  #deferredWritten({ ignoresDeferred }: Statement<never, unknown>): Promise<unknown> | undefined {
    if (ignoresDeferred) return
    const others = this.#connection.sharing.flushDeferred()
    const own = this.#deferred.isEmpty ? undefined : this.#writeDeferred()
    return others || own ? Promise.all([others, own]) : undefined
  }

  /** Sends the queries of all deferred rows before anything else. */
  async #writeDeferred(): Promise<void> {
    const rows = new DeferredRows()
    this.#deferred.moveTo(rows)
    const sent = rows.queries(this.#statements).map((query) => this.#connection.executeQuery(query))
    const written = Promise.all(sent).catch((error: unknown) => {
      this.#writeError ??= error
      throw error
    })
    if (this.#connection.failsAsWhole) written.catch(() => {})
    else await written
  }

  /** Resolves to the number of changed rows. */
  async run<P extends Bindings, O>(statement: Statement<P, O>, values: P): Promise<number> {
    await this.#deferredWritten(statement)
    const { numAffectedRows } = await this.#connection.executeQuery(this.#statements.bind(statement, values))
    return Number(numAffectedRows ?? 0)
  }
}

/** Reads and writes some tables on a `QueryRunner`. */
export abstract class Repository {
  protected readonly db: QueryRunner

  constructor(db: QueryRunner) {
    this.db = db
  }
}
