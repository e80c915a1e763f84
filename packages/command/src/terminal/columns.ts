import { usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { type Cell, type Head, table } from './table.js'
import type { Display } from './terminal.js'

/** A column of a list. */
export interface Column<Row> extends Head {
  /** The name of the column's field in JSON. */
  readonly field: keyof Row & string
  readonly cell: (row: Row) => Cell
}

/** How the rows of a list are shown. */
export interface Columns<Row> {
  readonly columns: readonly Column<Row>[]
  /** The text that is printed if there are no rows. */
  readonly empty: string
}

/** The output of a list that is read in one go. */
export function wholeList<Row extends object>(
  display: Display,
  shown: Columns<Row>,
  rows: readonly Row[],
): Output & { readonly text: string } {
  return { json: chosen(display, rows), text: listTable(display, shown, rows) }
}

/** A table of all columns, or of those that `--fields` names. */
export function listTable<Row extends object>(
  { terminal, fields }: Pick<Display, 'terminal' | 'fields'>,
  { columns, empty }: Columns<Row>,
  rows: readonly Row[],
): string {
  const shown = fields === null ? columns : fieldColumns(columns, rows, fields)
  const cells = rows.map((row) => shown.map(({ cell }) => cell(row)))
  return table(terminal, shown, cells, empty)
}

function fieldColumns<Row extends object>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  fields: readonly string[],
): Column<Row>[] {
  refuseUnknown(rows, fields)
  return fields.map((name) => {
    const field = name as keyof Row & string
    const column = columns.find((each) => each.field === field)
    return { head: name.toUpperCase(), cell: (row) => plainCell(row[field]), ...column, field, kept: true }
  })
}

/** The cell of a field that has no column of its own. */
function plainCell(value: unknown): Cell {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The rows for `--json`, with all their fields or only those of `--fields`. */
export function chosen(
  { fields }: Pick<Display, 'fields'>,
  rows: readonly object[],
): readonly Readonly<Record<string, unknown>>[] | readonly object[] {
  if (fields === null) return rows
  refuseUnknown(rows, fields)
  return rows.map((row) => Object.fromEntries(fields.map((field) => [field, Reflect.get(row, field) ?? null])))
}

/**
 * Refuses a name in `--fields` that is not a field. The fields are known from the rows, so with no rows any name is
 * accepted.
 */
function refuseUnknown(rows: readonly object[], fields: readonly string[]): void {
  const known = new Set(rows.flatMap((row) => Object.keys(row)))
  const unknown = fields.find((field) => !known.has(field))
  if (known.size > 0 && unknown !== undefined)
    throw usageError(`--fields ${unknown}: there is no such field. The fields are ${[...known].join(', ')}.`)
}
