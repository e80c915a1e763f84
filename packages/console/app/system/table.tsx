import type { ComponentChild, ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { words } from '../words/words.js'
import { isBare } from './bare-key.js'

export interface Column<Row> {
  readonly key: string
  readonly name: string
  readonly cell: (row: Row) => ComponentChildren
  /**
   * A grid track, such as `6em` or `minmax(6em, 1fr)`. If each column has one, rows are single lines, and columns keep
   * their widths whatever their content.
   */
  readonly width?: string
  /** Whether the cells are aligned to the right, like numbers. */
  readonly isNumber?: boolean
  /** Whether the column takes the space that others leave. Longer content is cut. */
  readonly takesRest?: boolean
  /** The sorting by this column, to which its head links. */
  readonly sorting?: SortState
  /** Whether the cells need the name of the column, which is shown where columns have no heads. */
  readonly needsName?: boolean
}

interface SortState {
  /** The address of the list sorted by this column, or in reverse if it already is. */
  readonly href: string
  /** The current order by this column; null: another column determines the order. */
  readonly now: 'ascending' | 'descending' | null
}

interface TableProps<Row extends object> {
  readonly name: string
  /** While these are the same object, unchanged rows are not rendered again: pass the same object for long lists. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /**
   * The main table of the screen: j, k and the arrows move through its rows, and x toggles their box, wherever the
   * focus is.
   */
  readonly isMain?: boolean
}

/**
 * A long list is laid out this many rows at a time, when they become visible. To lay out thousands of rows at once
 * would take longer than a frame.
 */
const stretch = 50

/** On a narrow screen each row is a card. The link in the first column applies to the whole row. */
export function Table<Row extends object>({ name, columns, rows, keyOf, isMain = false }: TableProps<Row>) {
  const stretches = Array.from({ length: Math.ceil(rows.length / stretch) }, (_, at) =>
    rows.slice(at * stretch, (at + 1) * stretch),
  )
  const table = useRef<HTMLTableElement>(null)
  const attributes = useColumns(table, columns, stretches.length > 1)
  useRowKeys(table, isMain)
  const known = useMemo(() => new WeakMap<Row, ComponentChild>(), [columns])
  const made = (row: Row) => {
    const before = known.get(row)
    if (before !== undefined) return before
    const now = (
      <tr key={keyOf(row)}>
        {columns.map((column) => {
          const content = column.cell(row)
          return (
            <td
              key={column.key}
              data-name={column.name}
              class={cellClass(column)}
              // A single-line cell may be cut off, so its whole text is in the tooltip.
              title={column.width !== undefined && typeof content === 'string' ? content : undefined}
            >
              {content}
            </td>
          )
        })}
      </tr>
    )
    known.set(row, now)
    return now
  }
  return (
    <div class="table-frame">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the link of a row takes the keys */}
      <table
        ref={table}
        {...attributes}
        aria-label={name}
        // Only this number informs screen readers about the rows that are not laid out.
        aria-rowcount={stretches.length > 1 ? rows.length + 1 : undefined}
        onClick={followRow}
        onMouseDown={openBeside}
        onAuxClick={openBeside}
      >
        <thead>
          <tr>
            {columns.map(({ key, name, isNumber, sorting }) => (
              <th key={key} scope="col" class={isNumber ? 'number' : undefined} aria-sort={sorting?.now ?? undefined}>
                {sorting === undefined ? name : <a href={sorting.href}>{name}</a>}
              </th>
            ))}
          </tr>
        </thead>
        {stretches.map((some, at) => (
          <tbody key={at}>{some.map(made)}</tbody>
        ))}
      </table>
    </div>
  )
}

/**
 * The class and style of the table, with the grid tracks that its rows share: the columns' own widths if all have one,
 * otherwise measured widths if the list is long.
 */
function useColumns<Row>(table: RefObject<HTMLTableElement | null>, columns: readonly Column<Row>[], isLong: boolean) {
  const named = columns.map(({ width }) => width)
  const isLines = named.every((width) => width !== undefined)
  const measured = useSharedColumns(table, columns.map(({ name }) => name).join(), isLong && !isLines)
  return isLines ? { class: 'table table-long table-lines', style: { '--columns': named.join(' ') } } : measured
}

/**
 * Makes the parts of a long list share their columns, each as wide as in a table. A table computes the widths of all
 * rows at every change of one; here they are computed once for each width of the window.
 */
function useSharedColumns(table: RefObject<HTMLTableElement | null>, heads: string, isLong: boolean) {
  const [measured, setMeasured] = useState<{ readonly of: string; readonly widths: readonly number[] } | null>(null)
  const [windowWidth, setWindowWidth] = useState(innerWidth)
  const of = `${windowWidth} ${heads}`
  const widths = isLong && measured?.of === of ? measured.widths : null

  useEffect(() => {
    const onResize = () => setWindowWidth(innerWidth)
    addEventListener('resize', onResize)
    return () => removeEventListener('resize', onResize)
  }, [])
  useLayoutEffect(() => {
    const { current } = table
    // Cards have no columns.
    if (!isLong || widths !== null || current === null || getComputedStyle(current).display !== 'table') return
    const cells = [...current.querySelectorAll('th')]
    setMeasured({ of, widths: cells.map((head) => head.getBoundingClientRect().width) })
  }, [of, isLong, widths])

  if (widths === null) return { class: 'table' }
  const style = {
    '--columns': widths.map((width) => `minmax(${width}px, ${width}fr)`).join(' '),
    'min-width': `${widths.reduce((sum, width) => sum + width, 0)}px`,
  }
  return { class: 'table table-long', style }
}

function cellClass<Row>({ isNumber, takesRest, needsName }: Column<Row>): string | undefined {
  const classes = [isNumber && 'number', takesRest && 'rest', needsName && 'named']
  return classes.filter(Boolean).join(' ') || undefined
}

/**
 * A click on a row acts as one on its link, with the same modifier keys. A link stretched over the row would hide the
 * tooltips of its cells, and add a layer in each of thousands of rows.
 */
function followRow(event: MouseEvent): void {
  if (getSelection()?.type === 'Range') return
  const { ctrlKey, metaKey, shiftKey } = event
  const press = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey })
  linkOfRow(event)?.dispatchEvent(press)
}

/** The middle button opens a row in a new tab, and does not start scrolling. */
function openBeside(event: MouseEvent): void {
  const link = event.button === 1 ? linkOfRow(event) : null
  if (link === null) return
  event.preventDefault()
  if (event.type === 'auxclick') open(link.href, '_blank', 'noopener')
}

/** The link of a clicked row. Null for elements with their own click, and for rows without a link. */
function linkOfRow({ target }: MouseEvent): HTMLAnchorElement | null {
  if (!(target instanceof Element) || target.closest('a, button, label')) return null
  return target.closest('tbody tr')?.querySelector<HTMLAnchorElement>('td:first-child a') ?? null
}

/**
 * Handles the keys that move between rows or toggle a box: for a row that has the focus, and for the main list wherever
 * the focus is.
 */
function useRowKeys(table: RefObject<HTMLTableElement | null>, isMain: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target } = event
      if (table.current === null || !(target instanceof HTMLElement) || !isBare(event)) return
      const row = table.current.contains(target) ? target.closest('tr') : null
      if (row === null && !(isMain && /^[jkx]$/.test(event.key))) return
      if (event.key === 'x') row?.querySelector<HTMLElement>('input[type=checkbox]')?.click()
      else if (!walked(table.current, row, event.key)) return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isMain])
}

/**
 * Arrows, and j and k, move between rows; the first press goes to the first row. @returns false for other keys, and at
 * an end
 */
function walked(table: HTMLElement, row: Element | null, key: string): boolean {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[key]
  if (step === undefined) return false
  const links = [...table.querySelectorAll<HTMLElement>('tbody td:first-child a')]
  const at = links.findIndex((link) => row?.contains(link))
  const next = row === null ? links[0] : links[at + step]
  if (next === undefined || (row !== null && at === -1)) return false
  next.focus()
  return true
}

interface PagesProps {
  readonly page: number
  readonly limite: number
  readonly total: number
  readonly linkTo: (page: number) => string
}

export function Pages({ page, limite, total, linkTo }: PagesProps) {
  const t = words.value.pages
  const until = Math.min(total, page * limite)
  const shown = t.of((page - 1) * limite + 1, until, total)
  if (total <= limite && page === 1) return null
  return (
    <nav class="pages" aria-label={shown}>
      <span class="muted number">{shown}</span>
      {page > 1 && (
        <a class="button small" rel="prev" href={linkTo(page - 1)}>
          {t.previous}
        </a>
      )}
      {until < total && (
        <a class="button small" rel="next" href={linkTo(page + 1)}>
          {t.next}
        </a>
      )}
    </nav>
  )
}
