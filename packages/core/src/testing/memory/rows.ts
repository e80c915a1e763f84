import type { Changes } from '../../directory/directory.js'
import type { Owned } from './tables.js'

/** The row if it is the account's: a foreign one is as good as missing. */
export function ownedBy<Row extends Owned>(account_id: string, row: Row | undefined): Row | undefined {
  return row?.account_id === account_id ? row : undefined
}

/** The row with every change that is not undefined. */
export function changed<Row extends object>(row: Row, changes: Changes<Row>): Row {
  const next = { ...row }
  for (const field in changes) {
    const value = changes[field]
    if (value !== undefined) next[field] = value
  }
  return next
}

type Sortable = string | number

/** Ascending by the first selected value that differs. */
export function by<Row>(...selectors: readonly ((row: Row) => Sortable)[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const select of selectors) {
      const [left, right] = [select(a), select(b)]
      if (left !== right) return left < right ? -1 : 1
    }
    return 0
  }
}

export function reversed<Row>(order: (a: Row, b: Row) => number): (a: Row, b: Row) => number {
  return (a, b) => order(b, a)
}

/** One page of rows that are all there. */
export function pageOf<Row>(rows: readonly Row[], { page, limite }: { page: number; limite: number }): Row[] {
  return rows.slice((page - 1) * limite, page * limite)
}
