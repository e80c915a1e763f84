import type { CompiledQuery } from 'kysely'
import type { CompiledStatements } from './compiled-statements.js'
import type { Cells, RowsStatement } from './statement.js'

type AnyRows = RowsStatement<string, unknown>

/**
 * Rows that wait for the end of a transaction. Those for one statement are written together, whoever of those who share
 * a commit brought them.
 */
export class Batch {
  readonly #rows = new Map<AnyRows, Cells<string>[]>()

  get isEmpty(): boolean {
    return this.#rows.size === 0
  }

  add(statement: AnyRows, rows: readonly Cells<string>[]): void {
    const waiting = this.#rows.get(statement) ?? []
    this.#rows.set(statement, waiting)
    for (const row of rows) waiting.push(row)
  }

  /** Everything that waits here waits there from now on. */
  moveTo(other: Batch): void {
    for (const [statement, rows] of this.#rows) other.add(statement, rows)
    this.#rows.clear()
  }

  /** What has to run for what waits. */
  queries(statements: CompiledStatements): CompiledQuery[] {
    const runs = [...this.#rows].flatMap(([statement, rows]) => statement.runs(rows, statements.dialect))
    return runs.map(({ statement, values }) => statements.bind(statement, values))
  }
}
