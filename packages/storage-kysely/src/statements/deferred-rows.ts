import type { CompiledQuery } from 'kysely'
import type { Cells, RowsStatement } from './rows-statement.js'
import type { CompiledStatements } from './statement.js'

type AnyRows = RowsStatement<string, unknown>

/**
 * Rows that a transaction writes at its end instead of at once. Those for one statement are written together, whichever
 * of the transactions that share a commit they come from.
 */
export class DeferredRows {
  readonly #rows = new Map<AnyRows, Cells<string>[]>()

  get isEmpty(): boolean {
    return this.#rows.size === 0
  }

  add(statement: AnyRows, rows: readonly Cells<string>[]): void {
    const deferred = this.#rows.get(statement) ?? []
    this.#rows.set(statement, deferred)
    for (const row of rows) deferred.push(row)
  }

  /** Adds everything here to `other`, and is empty then. */
  moveTo(other: DeferredRows): void {
    for (const [statement, rows] of this.#rows) other.add(statement, rows)
    this.#rows.clear()
  }

  /** The queries that write the rows. */
  queries(statements: CompiledStatements): CompiledQuery[] {
    const runs = [...this.#rows].flatMap(([statement, rows]) => statement.runs(rows, statements.dialect))
    return runs.map(({ statement, values }) => statements.bind(statement, values))
  }
}
