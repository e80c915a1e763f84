import { createRequire } from 'node:module'
import type { InspectColor } from 'node:util'
import { oneLine, type Terminal } from './terminal.js'

/** Both look at every kind of letter that there is, which takes 35 ms to prepare: too long for a list of plain ones. */
const require = createRequire(import.meta.url)
const stringWidth = (text: string): number => require('string-width').default(text)
const wrapAnsi = (text: string, columns: number): string => require('wrap-ansi').default(text, columns)

/** How many columns a terminal draws `text` in: a Latin letter takes one. */
const widthOf = (text: string): number =>
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff–…→]*$/.test(text) ? text.length : stringWidth(text)

/** Text that a terminal may colour; it says everything without. */
interface Coloured {
  readonly text: string
  readonly colour: InspectColor | null
}

type Cell = string | number | Coloured | null

/** The last column is cut down to this many terminal columns; narrower, it goes to a line of its own. */
const minLastColumns = 20

const indent = '    '
const gap = 2

/**
 * Rows under their headings. A row that is wider than the terminal goes on in a line below; only the last column is cut
 * where the terminal ends. A null is shown as `-`. Widths are those that a terminal draws: an accent of its own takes no
 * column, an emoji or a Chinese character takes two.
 * @param empty said instead of a table without rows
 */
export function table(
  terminal: Terminal,
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  empty: string,
) {
  if (rows.length === 0) return empty
  const cells = rows.map((row) => row.map(cellOf))
  const heads = headings.map((heading) => ({ text: heading, colour: 'bold' as const }))
  const widths = heads.map(({ text }, column) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[column]?.text ?? '')), widthOf(text)),
  )
  const layout = linesOf(widths, terminal.columns)
  const linesOfRow = (row: readonly Coloured[]) =>
    layout.map((columns, line) => {
      let used = line === 0 ? 0 : indent.length
      let written = ' '.repeat(used)
      for (const [place, column] of columns.entries()) {
        const { text = '', colour = null } = row[column] ?? {}
        const shown = cut(text, terminal.columns - used)
        const isLast = place === columns.length - 1
        const space = isLast ? 0 : (widths[column] ?? 0) - widthOf(shown) + gap
        written += (colour === null ? shown : terminal.style(colour, shown)) + ' '.repeat(space)
        used += widthOf(shown) + space
      }
      return written
    })
  return [...linesOfRow(heads), ...cells.flatMap(linesOfRow)].join('\n')
}

function cellOf(cell: Cell): Coloured {
  if (cell === null) return { text: '-', colour: null }
  return typeof cell === 'object'
    ? { ...cell, text: oneLine(cell.text) }
    : { text: oneLine(String(cell)), colour: null }
}

const colours: Readonly<Record<string, InspectColor>> = {
  ouvert: 'yellow',
  en_cours: 'cyan',
  clos: 'green',
  urgente: 'red',
  haute: 'yellow',
  pending: 'yellow',
  delivered: 'green',
  failed: 'red',
  active: 'green',
  valid: 'green',
  disabled: 'red',
  revoked: 'red',
  expired: 'red',
}

/** A statut, a priorite or a state in the colour that it has everywhere. */
export function stateCell(state: string): Coloured {
  return { text: state, colour: colours[state.split(':', 1)[0] ?? ''] ?? null }
}

/** Which columns, by their numbers, stand on each line of a row. */
function linesOf(widths: readonly number[], columns: number): number[][] {
  const lines: number[][] = [[]]
  let used = 0
  for (const [column, width] of widths.entries()) {
    const needed = column === widths.length - 1 ? Math.min(width, minLastColumns) : width
    if (column > 0 && used + needed > columns) {
      lines.push([])
      used = indent.length
    }
    lines.at(-1)?.push(column)
    used += width + gap
  }
  return lines
}

/** One `label: value` a line, long ones broken between words; what is null or empty is left out. */
export function fields(
  terminal: Terminal,
  entries: readonly (readonly [label: string, value: string | number | null])[],
): string {
  const shown = entries.filter(([, value]) => value !== null && value !== '')
  const width = Math.max(...shown.map(([label]) => widthOf(label))) + gap
  return shown
    .map(([label, value]) => {
      const text = wrapped(oneLine(String(value)), terminal.columns - width).replaceAll('\n', `\n${' '.repeat(width)}`)
      return `${terminal.style('bold', label)}${' '.repeat(width - widthOf(label))}${text}`
    })
    .join('\n')
}

/** `text` in lines of at most `columns`, broken at its spaces; a longer word stays whole, to be copied. */
export function wrapped(text: string, columns: number): string {
  return columns === Number.POSITIVE_INFINITY ? text : wrapAnsi(text, columns)
}

/** Somebody else's text in a cell of just so many columns: cut, or filled up with spaces. */
export function padded(text: string, columns: number): string {
  const shown = cut(oneLine(text), columns)
  return columns === Number.POSITIVE_INFINITY ? shown : shown + ' '.repeat(columns - widthOf(shown))
}

/** The beginning of `text` that fits; no letter is parted from its accents, and no emoji from its modifiers. */
function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let used = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += widthOf(segment)
    if (used > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}
