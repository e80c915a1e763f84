import { createRequire } from 'node:module'
import type { InspectColor } from 'node:util'
import { oneLine, type Terminal } from './terminal.js'

let ofThisPackage: NodeJS.Require | undefined
function require(name: string) {
  ofThisPackage ??= createRequire(import.meta.url)
  return ofThisPackage(name)
}
/**
 * `string-width` and `wrap-ansi` contain tables of all of Unicode. They take 35 ms to load, so they are only loaded for
 * text that needs them.
 */
const stringWidth = (text: string): number => require('string-width').default(text)
const wrapAnsi = (text: string, columns: number): string => require('wrap-ansi').default(text, columns)

/** How many columns a terminal needs for `text`: Latin letters and punctuation take one each. */
const widthOf = (text: string): number =>
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff‐-‧€→]*$/.test(text) ? text.length : stringWidth(text)

/** Text that a terminal may colour. It has the same meaning without colours. */
export interface ColouredText {
  readonly text: string
  readonly colour: InspectColor | null
}

export type Cell = string | number | ColouredText | null

/** The heading of a column, with the rules for the column on a narrow terminal. */
export interface Head {
  readonly head: string
  /**
   * True if only a complete value is useful, such as a time. Such values are shortened last. Ids are recognised by
   * `isId`, and need not be declared.
   */
  readonly whole?: boolean
  /** True if the column can be left out. The last such column goes first, before any `whole` value is shortened. */
  readonly spare?: boolean
  /** True if the user requested the column, so that it is never left out. */
  readonly kept?: boolean
}

const gap = 2

/** Texts are shortened down to this width before a column is left out. */
const shortText = 10

/**
 * Whether a text is an id such as `wh_01ky…`, `SAV-2026-00013` or `key:key_01ky…`. A shortened id could not be copied
 * into the next command.
 */
const isId = (text: string): boolean => /^(?:[a-z]+:)?(?:[a-z]{2,5}_[A-Za-z0-9]{16,}|SAV-\d{4}-\d+)$/.test(text)

/**
 * A table of rows under their headings, each on one line. On a terminal, columns without any value are left out, and
 * the widest texts are shortened until all fit. A null is shown as `-`. Widths are counted in columns of a terminal: a
 * combining accent takes none, an emoji or a Chinese character takes two.
 * @param empty the text that is printed instead of a table without rows
 */
export function table(
  terminal: Terminal,
  headings: readonly (string | Head)[],
  rows: readonly (readonly Cell[])[],
  empty: string,
) {
  if (rows.length === 0) return empty
  const cells = rows.map((row) => row.map(cellOf))
  const columns = headings.map((heading, place) => {
    const head: Head = typeof heading === 'string' ? { head: heading } : heading
    const texts = cells.map((row) => row[place]?.text ?? '')
    const within = widestOf(texts)
    const ids = widestOf(texts.filter(isId))
    const isEmpty = rows.every((row) => row[place] === null)
    const floor = Math.max(ids, floorOf(head, within))
    return { ...head, place, isEmpty, widest: Math.max(within, widthOf(head.head)), floor, ids: Math.max(ids, 1) }
  })
  const shown = fitted(columns, terminal.columns)
  const line = (cellIn: (column: (typeof shown)[number]) => ColouredText) =>
    shown
      .map((column, index) => {
        const { text, colour } = cellIn(column)
        const written = cut(text, column.width)
        const filling = index === shown.length - 1 ? 0 : column.width - widthOf(written)
        return (colour === null ? written : terminal.style(colour, written)) + ' '.repeat(filling)
      })
      .join(' '.repeat(gap))
  return [
    line(({ head }) => ({ text: head, colour: 'bold' })),
    ...cells.map((row) => line(({ place }) => row[place] ?? { text: '', colour: null })),
  ].join('\n')
}

const widestOf = (texts: readonly string[]): number =>
  texts.reduce((widest, text) => Math.max(widest, widthOf(text)), 0)

const floorOf = ({ head, whole }: Head, within: number): number =>
  Math.max(whole ? within : Math.min(within, shortText), Math.min(widthOf(head), shortText))

interface MeasuredColumn extends Head {
  readonly isEmpty: boolean
  readonly widest: number
  readonly floor: number
  /** The width of the column's ids, used if the terminal is even narrower than the sum of all `floor`s. */
  readonly ids: number
}

/** The columns that are shown, with their final widths. */
function fitted<Column extends MeasuredColumn>(
  all: readonly Column[],
  columns: number,
): (Column & { width: number })[] {
  if (columns === Number.POSITIVE_INFINITY) return all.map((column) => ({ ...column, width: column.widest }))
  let shown = all.filter(({ isEmpty, kept }) => kept || !isEmpty)
  const room = () => columns - gap * (shown.length - 1)
  for (;;) {
    const spare = shown.findLast(({ spare, kept }) => spare && !kept)
    if (spare === undefined || sum(shown.map(({ floor }) => floor)) <= room()) break
    shown = shown.filter((column) => column !== spare)
  }
  const isWhole = sum(shown.map(({ floor }) => floor)) <= room()
  // If the terminal is narrower than all `floor`s together, everything except the ids is shortened; if it is even
  // narrower than the ids together, the ids too.
  const areIdsWhole = sum(shown.map(({ ids }) => ids)) <= room()
  const widthAt = (cap: number) =>
    shown.map(({ widest, floor, ids }) => Math.min(widest, Math.max(cap, isWhole ? floor : areIdsWhole ? ids : 1)))
  let cap = Math.max(1, ...shown.map(({ widest }) => widest))
  while (cap > 1 && sum(widthAt(cap)) > room()) cap -= 1
  const widths = widthAt(cap)
  let left = room() - sum(widths)
  return shown.map((column, place) => {
    const width = widths[place] ?? 0
    const more = left > 0 && width < column.widest ? 1 : 0
    left -= more
    return { ...column, width: width + more }
  })
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

function cellOf(cell: Cell): ColouredText {
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
  ok: 'green',
  ralenti: 'yellow',
  en_echec: 'red',
  desactive: 'red',
  valid: 'green',
  disabled: 'red',
  revoked: 'red',
  expired: 'red',
}

/** A statut, a priorite or another state, in its usual colour. */
export function stateCell(state: string): ColouredText {
  return { text: state, colour: colours[state.split(':', 1)[0] ?? ''] ?? null }
}

/** One `label: value` on each line, wrapped between words. Null and empty values are left out. */
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

/** Wraps `text` at spaces, into lines of at most `columns`. A longer word is not broken, so that it can be copied. */
export function wrapped(text: string, columns: number): string {
  return columns === Number.POSITIVE_INFINITY ? text : wrapAnsi(text, columns)
}

/**
 * Foreign text in a cell of exactly `columns` columns: cut, or padded with spaces.
 * @param columns columns of a terminal; a wide character takes two
 */
export function padded(text: string, columns: number): string {
  const shown = cut(oneLine(text), columns)
  return columns === Number.POSITIVE_INFINITY ? shown : shown + ' '.repeat(columns - widthOf(shown))
}

/**
 * The longest beginning of `text` that fits. Letters are not separated from their accents, nor emoji from their
 * modifiers.
 */
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
