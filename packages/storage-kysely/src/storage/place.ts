import type { Kysely } from 'kysely'
import type { Dialect } from '../statements/dialect.js'
import type { TableNames } from '../tables/names.js'
import type { Schema } from '../tables/tables.js'
import { storesAmong } from './migrate.js'

/** Where a store is in the database of a caller that names no place. */
export interface StorePlace {
  readonly names: TableNames
  /** Why it is not the default place, for the operator who migrates the store; null if it is. */
  readonly notice: string | null
}

/** The default prefix and schema beside a caller's own tables. */
export const usualPrefix = 'sav_'
export const usualSchema = 'sav'

/** Only the caller can say which of several stores is meant. */
export class SeveralStoresError extends Error {}

const plain: TableNames = { schema: null, prefix: '' }

/** A place as the caller would write it in the options. */
function said({ schema, prefix }: TableNames): string {
  return schema === null ? `{ prefix: '${prefix}' }` : `{ schema: '${schema}' }`
}

/**
 * The place of the existing store: its plain names, or the `usual` place. Without a store, the usual place.
 * @throws SeveralStoresError
 */
export async function placeOf(db: Kysely<Schema>, dialect: Dialect, usual: TableNames): Promise<StorePlace> {
  const found = await storesAmong(db, { dialect, names: usual })
  const [first, second] = found
  if (first === undefined) return { names: usual, notice: null }
  if (second !== undefined) {
    const places = found.map(said).join(' and ')
    throw new SeveralStoresError(
      `The database has several stores, and no place is given: open it with one of ${places}.`,
    )
  }
  if (said(first) === said(usual)) return { names: usual, notice: null }
  // The store is opened by its plain names, as by a program that opens the database by its URL.
  const notice = `The existing store is kept: ${said(first)}. A new one would be created at ${said(usual)}.`
  return { names: plain, notice }
}
