import type { Dialect } from './dialect.js'
import type { Cells, RowsStatement } from './statement.js'

type AnyRows = RowsStatement<string, unknown>

/**
 * Rows that wait for the end of a transaction. Those of one statement go to the server together, whoever of those who
 * share the transaction brought them: a case that was created took ten statements of its own, and takes four.
 */
export class Batch {
  readonly #rows = new Map<AnyRows, Cells<string>[]>()

  add(statement: AnyRows, rows: readonly Cells<string>[]): void {
    const waiting = this.#rows.get(statement)
    if (waiting === undefined) this.#rows.set(statement, [...rows])
    else waiting.push(...rows)
  }

  /** What has to run for them; nothing waits any more then. */
  take(dialect: Dialect) {
    const runs = [...this.#rows].flatMap(([statement, rows]) => statement.runs(rows, dialect))
    this.#rows.clear()
    return runs
  }
}
