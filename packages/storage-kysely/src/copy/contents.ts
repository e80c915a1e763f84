import type { Storage } from '@sav/core/ports'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { OpenedStorage } from '../storage/opened-storage.js'
import type { Schema } from '../tables/tables.js'

/**
 * Contents are read in slices of this size. PostgreSQL sends bytes as hexadecimal text, in a buffer that doubles until
 * the text fits: a whole content of 5 MB would take 50 MB.
 */
const sliceBytes = 512 << 10

/** Where a content is. */
export interface ContentPlace {
  readonly table: string
  readonly column: string
  /** Conditions that only the content's row meets. */
  readonly where: readonly RawBuilder<unknown>[]
}

/** Reads the content slice by slice; null if there is none. */
export async function readContent(
  db: Kysely<Schema>,
  { table, column, where }: ContentPlace,
): Promise<Uint8Array | null> {
  const isIt = sql.join(where, sql` and `)
  const read = async <T>(what: RawBuilder<T>) => {
    const { rows } = await sql<{ found: T }>`select ${what} as found from ${sql.table(table)} where ${isIt}`.execute(db)
    return rows[0]?.found ?? null
  }
  const length = await read(sql<number | null>`length(${sql.ref(column)})`)
  if (length === null) return null
  const content = new Uint8Array(length)
  for (let at = 0; at < length; at += sliceBytes) {
    const slice = await read(sql<unknown>`substr(${sql.ref(column)}, ${sql.lit(at + 1)}, ${sql.lit(sliceBytes)})`)
    if (!(slice instanceof Uint8Array)) throw new Error(`The column ${column} of ${table} did not return bytes.`)
    content.set(slice, at)
    freeContent(slice)
  }
  return content
}

/**
 * Frees the memory of a content at once, unless other values share that memory. Garbage collection would wait until 64
 * MB have accumulated.
 */
export function freeContent({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/**
 * A storage that keeps one file in memory at a time: a file from `reads.files.find` is valid only until the next call.
 */
export function oneFileAtATime(storage: OpenedStorage): Storage {
  const { files } = storage.reads
  let last: Uint8Array = new Uint8Array()
  return {
    ...storage,
    reads: {
      ...storage.reads,
      files: {
        stored: (account_id) => files.stored(account_id),
        isHeld: (account_id, sha256) => files.isHeld(account_id, sha256),
        latestHolder: (account_id, sha256) => files.latestHolder(account_id, sha256),
        ofCase: (account_id, case_id) => files.ofCase(account_id, case_id),
        async find(account_id, case_id, sha256) {
          freeContent(last)
          const held = (await files.ofCase(account_id, case_id)).find((file) => file.sha256 === sha256)
          if (held === undefined) return null
          const where = [sql`account_id = ${account_id}`, sql`sha256 = ${sha256}`]
          const content = await readContent(storage.db, { table: 'files', column: 'content', where })
          if (content === null) return null
          last = content
          return { ...held, content }
        },
      },
    },
  }
}
