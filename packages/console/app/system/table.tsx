import type { ComponentChild, ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { words } from '../words/words.js'

export interface Column<Row> {
  readonly key: string
  readonly name: string
  readonly cell: (row: Row) => ComponentChildren
  /** Where the cells stand to the right, as numbers do. */
  readonly isNumber?: boolean
  /** Takes the room that the others leave, and is cut where it is longer. */
  readonly takesRest?: boolean
  /** What a cell says nothing without: shown where the columns have no heads. */
  readonly needsName?: boolean
}

interface TableProps<Row extends object> {
  readonly name: string
  /** As long as they are the same, rows that are the same are not made again: of long lists they should be. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
}

/** On a narrow screen each row is a card of its own. A link in the first column answers for the whole row. */
export function Table<Row extends object>({ name, columns, rows, keyOf }: TableProps<Row>) {
  const known = useMemo(() => new WeakMap<Row, ComponentChild>(), [columns])
  const made = (row: Row) => {
    const before = known.get(row)
    if (before !== undefined) return before
    const now = (
      <tr key={keyOf(row)}>
        {columns.map((column) => (
          <td key={column.key} data-name={column.name} class={cellClass(column)}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
    )
    known.set(row, now)
    return now
  }
  return (
    <div class="table-frame">
      <table class="table" aria-label={name} onKeyDown={walkRows} onClick={followRow}>
        <thead>
          <tr>
            {columns.map(({ key, name, isNumber }) => (
              <th key={key} scope="col" class={isNumber ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map(made)}</tbody>
      </table>
    </div>
  )
}

function cellClass<Row>({ isNumber, takesRest, needsName }: Column<Row>): string | undefined {
  return [isNumber && 'number', takesRest && 'rest', needsName && 'named'].filter(Boolean).join(' ') || undefined
}

/**
 * A press on a row is one on its link, with the same keys held. A link that lay over the whole row would hide what its cells
 * tell to who points at them, and be a layer of its own in each of thousands of rows.
 */
function followRow(event: MouseEvent): void {
  const { target, ctrlKey, metaKey, shiftKey } = event
  if (!(target instanceof Element) || target.closest('a, button') || getSelection()?.type === 'Range') return
  const link = target.closest('tbody tr')?.querySelector('td:first-child a')
  link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }))
}

/** Arrows, and j and k, go from row to row. */
function walkRows(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
  const { target, currentTarget } = event
  if (step === undefined || !(target instanceof HTMLElement) || !(currentTarget instanceof HTMLElement)) return
  if (!target.matches('a')) return
  const links = [...currentTarget.querySelectorAll<HTMLElement>('tbody td:first-child a')]
  const row = target.closest('tr')?.querySelector<HTMLElement>('td:first-child a')
  const next = row && links[links.indexOf(row) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
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
