import type { CompiledQuery } from 'kysely'
import type { CompiledStatements } from './session.js'
import type { Cells, RowsStatement } from './statement.js'

type AnyRows = RowsStatement<string, unknown>

/**
 * Rows that wait for the end of a transaction. Those for one statement are written together, whoever of those who share
 * a commit brought them.
 */
export class Batch {
  readonly #statements: CompiledStatements
  readonly #rows = new Map<AnyRows, Cells<string>[]>()

  constructor(statements: CompiledStatements) {
    this.#statements = statements
  }

  add(statement: AnyRows, rows: readonly Cells<string>[]): void {
    const waiting = this.#rows.get(statement)
    if (waiting === undefined) this.#rows.set(statement, [...rows])
    else waiting.push(...rows)
  }

  /** Everything that waits here waits there from now on. */
  moveTo(other: Batch): void {
    for (const [statement, rows] of this.#rows) other.add(statement, rows)
    this.#rows.clear()
  }

  /** What has to run for what waits; nothing waits any more then. */
  take(): CompiledQuery[] {
    const { dialect } = this.#statements
    const runs = [...this.#rows].flatMap(([statement, rows]) => statement.runs(rows, dialect))
    this.#rows.clear()
    return runs.map(({ statement, values }) => this.#statements.bind(statement, values))
  }
}
