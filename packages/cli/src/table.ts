import { oneLine, type Terminal } from './terminal.js'

type Cell = string | number | null

/**
 * Rows under their headings; the last column is cut where the terminal ends. A null is shown as `-`.
 * @param empty said instead of a table without rows
 */
export function table(
  terminal: Terminal,
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty: string,
) {
  if (rows.length === 0) return empty
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '-' : oneLine(String(cell)))))
  const widths = headings.map((heading, column) =>
    Math.max(lengthOf(heading), ...cells.map((row) => lengthOf(row[column] ?? ''))),
  )
  const line = (row: readonly string[]) => {
    const padded = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - lengthOf(cell)),
    )
    return cut(padded.join('  '), terminal.columns)
  }
  return [terminal.style('bold', line(headings)), ...cells.map(line)].join('\n')
}

/** One `label: value` a line; what is null or empty is left out. */
export function fields(terminal: Terminal, entries: readonly (readonly [label: string, value: Cell])[]): string {
  const shown = entries.filter(([, value]) => value !== null && value !== '')
  const width = Math.max(...shown.map(([label]) => lengthOf(label)))
  return shown
    .map(
      ([label, value]) =>
        `${terminal.style('bold', label)}${' '.repeat(width - lengthOf(label))}  ${oneLine(String(value))}`,
    )
    .join('\n')
}

/** A page of a table says so when it is not the whole. */
export function withPages(
  text: string,
  found: { items: readonly unknown[]; page: number; limite: number; total: number },
): string {
  const pages = Math.ceil(found.total / found.limite)
  if (pages <= 1 && found.page === 1) return text
  return `${text}\n\nPage ${found.page} of ${pages}, ${found.total} in all: --page, --limite.`
}

const lengthOf = (text: string): number => [...text].length

function cut(text: string, columns: number): string {
  return lengthOf(text) <= columns ? text : `${[...text].slice(0, columns - 1).join('')}…`
}
