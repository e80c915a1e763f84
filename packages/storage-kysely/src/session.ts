import type { CompiledQuery, QueryResult } from 'kysely'
import { Batch } from './batch.js'
import type { CompiledStatements } from './compiled-statements.js'
import type { Dialect } from './dialect.js'
import type { Bindings, Cells, LookUp, RowsStatement, Statement } from './statement.js'

/** Whatever runs compiled queries: a connection, a transaction, a whole Kysely. */
export interface Connection {
  /** A statement that fails fails the whole transaction, which says so at its end: nobody has to wait for each. */
  readonly failsAsWhole?: true
  executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>>
  /** Whether the transaction goes on; undefined where that is somebody else's to know. */
  readonly isOpen?: boolean
  /** Takes rows to write just before the commit, together with those of all who share it. False: it does not. */
  leave?(rows: Batch): boolean
  /** Writes at once what others who share the transaction have left. */
  seeOthers?(): Promise<void> | void
  /** As `Session.shareFrom`. */
  shareFrom?(key: string): void
  /** Rejects where this shares the transaction with others, and lets it run alone then. */
  leaveOthers?(): void
}

/** What is said to whoever goes on with a transaction after its end. */
export const hasEnded = () => new Error('This transaction has ended: nothing can be read or written through it.')

/** Runs statements on one connection. */
export class Session {
  readonly #statements: CompiledStatements
  readonly #connection: Connection
  readonly #locks: boolean
  /** Set by whoever writes something to deliver. */
  leavesDue = false
  readonly #later = new Batch()
  #spoilt: unknown

  constructor(
    statements: CompiledStatements,
    connection: Connection,
    { inTransaction }: { readonly inTransaction: boolean },
  ) {
    this.#statements = statements
    this.#connection = connection
    this.#locks = inTransaction && statements.dialect.locksRows
  }

  get dialect(): Dialect {
    return this.#statements.dialect
  }

  async all<P extends Bindings, O>(statement: Statement<P, O>, values: P): Promise<O[]> {
    await this.#caughtUp(statement)
    return (await this.#connection.executeQuery(this.#statements.bind(statement, values))).rows
  }

  async first<P extends Bindings, O>(statement: Statement<P, O>, values: P): Promise<O | null> {
    await this.#caughtUp(statement)
    return (await this.#connection.executeQuery(this.#statements.bind(statement, values))).rows[0] ?? null
  }

  /**
   * What the transaction does from here on may go into one commit with others that say the same key, where waiting for one
   * another costs more. Said before its first statement. What it does until its end must be safe beside them without locks;
   * should it lock something all the same, it runs again alone.
   */
  shareFrom(key: string): void {
    this.#connection.shareFrom?.(key)
  }

  /** Inside a transaction nobody else changes what it found before the end. */
  async find<P extends Bindings, O>({ plain, locking }: LookUp<P, O>, values: P): Promise<O | null> {
    if (this.#locks) this.#connection.leaveOthers?.()
    return this.first(this.#locks ? locking : plain, values)
  }

  /** Inside a transaction runs a statement that locks something until the end, where the database needs that. */
  async lock<P extends Bindings>(statement: Statement<P, unknown>, values: P): Promise<void> {
    if (!this.#locks) return
    this.#connection.leaveOthers?.()
    await this.#connection.executeQuery(this.#statements.bind(statement, values))
  }

  /** For statements that always give a row. */
  async one<P extends Bindings, O>(statement: Statement<P, O>, values: P): Promise<O> {
    const row = await this.first(statement, values)
    if (row === null) throw new Error('A statement that always gives a row gave none.')
    return row
  }

  /** What `statement` returns of all `rows`. */
  async each<C extends string, O>(statement: RowsStatement<C, O>, rows: readonly Cells<C>[]): Promise<O[]> {
    const returned: O[] = []
    for (const run of statement.runs(rows, this.#statements.dialect))
      returned.push(...(await this.all(run.statement, run.values)))
    return returned
  }

  /** For statements whose outcome nobody needs: it does not wait for that where the transaction does. */
  async send<P extends Bindings>(statement: Statement<P, unknown>, values: P): Promise<void> {
    await this.#caughtUp(statement)
    const sent = this.#connection.executeQuery(this.#statements.bind(statement, values))
    if (this.#connection.failsAsWhole) sent.catch(() => {})
    else await sent
  }

  async sendEach<C extends string>(statement: RowsStatement<C, unknown>, rows: readonly Cells<C>[]): Promise<void> {
    for (const run of statement.runs(rows, this.#statements.dialect)) await this.send(run.statement, run.values)
  }

  /** Writes `rows` before the transaction ends, and before any statement of it that is not `apart`. */
  async later<C extends string>(statement: RowsStatement<C, unknown>, rows: readonly Cells<C>[]): Promise<void> {
    if (this.#connection.isOpen === false) throw hasEnded()
    this.#later.add(statement, rows)
  }

  /** Of a transaction, the last thing: what was to be written later is written, or handed over. */
  async end(): Promise<void> {
    if (!this.#later.isEmpty && !this.#connection.leave?.(this.#later)) await this.#write()
    // Whoever read may have caught it.
    if (this.#spoilt !== undefined) throw this.#spoilt
  }

  /** Undefined where there is nothing to wait for. */
  #caughtUp({ isApart }: Statement<never, unknown>): Promise<unknown> | undefined {
    if (isApart) return
    const others = this.#connection.seeOthers?.()
    const own = this.#later.isEmpty ? undefined : this.#write()
    return others || own ? Promise.all([others, own]) : undefined
  }

  /** All of it is sent before anything else can be. */
  async #write(): Promise<void> {
    const waiting = new Batch()
    this.#later.moveTo(waiting)
    const sent = waiting.queries(this.#statements).map((query) => this.#connection.executeQuery(query))
    const written = Promise.all(sent).catch((error: unknown) => {
      this.#spoilt ??= error
      throw error
    })
    if (this.#connection.failsAsWhole) written.catch(() => {})
    else await written
  }

  /** Resolves to the number of rows that it changed. */
  async run<P extends Bindings, O>(statement: Statement<P, O>, values: P): Promise<number> {
    await this.#caughtUp(statement)
    const { numAffectedRows } = await this.#connection.executeQuery(this.#statements.bind(statement, values))
    return Number(numAffectedRows ?? 0)
  }
}
