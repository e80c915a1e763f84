import type { Page, Paged } from '@sav/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { QueryParams } from '../statements/statement.js'

type Place = NonNullable<Page['after']>

/**
 * The values that a page binds, `limit` and `offset` as numbers of rows; `place_0`, `place_1` … only if it begins after
 * a position.
 */
export type Range = { readonly limit: number; readonly offset: number } & PlaceParams
export type PlaceParams = { readonly [value in PlaceName]?: string | number | undefined }
type PlaceName = `place_${0 | 1 | 2}`

const placeNames = ['place_0', 'place_1', 'place_2'] as const satisfies PlaceName[]

/** The range of a page, with one row more, which shows whether another page follows. */
export function rangeOf({ page, limite, after }: Page): Range {
  return { limit: limite + 1, offset: after === undefined ? (page - 1) * limite : 0, ...placeParams(after) }
}

export const placeParams = (after: Place | undefined): PlaceParams =>
  Object.fromEntries((after ?? []).map((value, index) => [`place_${index}`, value]))

/** Whether the page begins after a position, given the bound values. */
export const beginsAfter = (bound: ReadonlySet<string>): boolean => bound.has('place_0')

/**
 * Matches the rows after the position in the order of these columns, which all ascend (`>`) or descend (`<`). An index
 * can seek the position.
 */
export const isAfter = (
  columns: readonly RawBuilder<unknown>[],
  sign: '>' | '<',
  p: QueryParams<PlaceParams>,
): RawBuilder<SqlBool> => {
  const values = placeNames.slice(0, columns.length).map((name) => p(name))
  return sql`(${sql.join(columns)}) ${sql.raw(sign)} (${sql.join(values)})`
}

/** The page read with `rangeOf`. */
export function pageFound<Row>(
  rows: readonly Row[],
  { total, limite, placeOf }: { readonly total: number; readonly limite: number; placeOf(row: Row): Place },
): Paged<Row> {
  const items = rows.slice(0, limite)
  const last = items.at(-1)
  return { items, total, next: rows.length > limite && last !== undefined ? placeOf(last) : undefined }
}
