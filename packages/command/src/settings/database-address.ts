import { resolve } from 'node:path'
import type { FeatureTables } from '@sav/storage-kysely/feature'

/** Loads the tables of the command's features. */
export type LoadTables = () => Promise<readonly FeatureTables[]>

/** Where a store is. `name` is safe to show: it has no password. */
export type DatabaseAddress = { readonly tables: LoadTables } & (
  | {
      readonly kind: 'sqlite'
      readonly name: string
      /** An absolute path. */
      readonly path: string
      /** The prefix of the store's tables, in a file that another program created; empty if they have none. */
      readonly prefix: string
    }
  | {
      readonly kind: 'postgres'
      readonly name: string
      readonly url: string
      /** The server on which to LISTEN for new deliveries; null if there is none. */
      readonly direct: string | null
      /** The store's schema; null for the first schema on the connection's `search_path`. */
      readonly schema: string | null
    }
)

/** Where a store is within its database, if another program created it beside its own tables. */
export interface PlaceInDatabase {
  readonly schema: string | null
  readonly prefix: string | null
}

/** Accepts `sqlite:PATH` or `postgres://…`, and returns the text unchanged. */
export function parseDatabase(text: string): string | undefined {
  return /^sqlite:(?!:memory:).+$/.test(text) || isPostgres(text) ? text : undefined
}

/** The value of SAV_DATABASE_DIRECT: a URL, `none`, or an empty text, for which the database's own URL is used. */
export function parseDirect(text: string): string | undefined {
  return text === '' || text === 'none' || isPostgres(text) ? text : undefined
}

/**
 * The address that a valid text describes.
 * @param direct the result of `parseDirect`
 */
export function locate(
  text: string,
  {
    cwd,
    direct,
    tables,
    schema = null,
    prefix = null,
  }: { cwd: string; direct: string; tables: LoadTables } & Partial<PlaceInDatabase>,
): DatabaseAddress {
  if (text.startsWith('sqlite:')) {
    const path = resolve(cwd, text.slice('sqlite:'.length))
    return { tables, kind: 'sqlite', name: path, path, prefix: prefix ?? '' }
  }
  const listens = direct === 'none' ? null : direct || text
  const name = `${withoutPassword(text)}${schema === null ? '' : `, schema ${schema}`}`
  return { tables, kind: 'postgres', name, url: text, direct: listens, schema }
}

const secretOption = /pass|pwd|secret|token|key/i

/** An address without user and password, and without passwords and tokens among its options. */
export function withoutPassword(text: string): string {
  const [host, end] = [text.indexOf('//'), text.lastIndexOf('@')]
  const shown = host === -1 || end < host + 2 ? text : `${text.slice(0, host)}//***${text.slice(end)}`
  return shown.replace(/([?&][^=&?]*=)[^&]*/g, (whole, option) => (secretOption.test(option) ? `${option}***` : whole))
}

function isPostgres(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.parse(text) !== null
}
