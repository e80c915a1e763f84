import type { types } from 'pg'
import { asSelected } from '../tables/rows.js'
import type { StoreTables } from '../tables/store-tables.js'
import { driver } from './own-connections.js'

/** Reads bigint as a number: counts and ids stay below 2^53. */
export const numberParsers: { readonly getTypeParser: typeof types.getTypeParser } = {
  getTypeParser: (type, format) =>
    type === driver.types.builtins.INT8 ? Number : driver.types.getTypeParser(type, format),
}

/** The columns of counts in our statements. */
const counted = ['count', 'failed', 'is_locked', 'n', 'nombre', 'pending', 'total']

/** The names of all bigint columns: a caller's connection returns them as text, as pg does by default, or as BigInt. */
export function wholeNumbersOf({ all }: StoreTables): ReadonlySet<string> {
  const columns = [...all.values()].flatMap((table) =>
    Object.entries(table.columns).flatMap(([name, { traits }]) => (traits.kind === 'whole' ? [name] : [])),
  )
  return new Set([...columns, ...counted])
}

const whole = /^-?\d{1,16}$/

/** Turns whole numbers in `rows` into numbers. Ids that are text begin with letters. */
export function withNumbers(rows: readonly unknown[], wholeNumbers: ReadonlySet<string>): void {
  for (const row of asSelected<Record<string, unknown>>([...rows]))
    for (const name in row) {
      const value = row[name]
      if (wholeNumbers.has(name) && (typeof value === 'bigint' || (typeof value === 'string' && whole.test(value))))
        row[name] = Number(value)
    }
}
