import { once } from 'node:events'
import type { Output } from '../process/outcome.js'
import { type Display, shownSafely } from './terminal.js'

/** A part of a list: it says where it ends, and how to go on. */
export interface Listed<At> extends Output {
  readonly json: readonly unknown[]
  /** Its table alone. */
  readonly table: string
  /** By what the next part is asked for; null: there is none. */
  readonly next: At | null
}

/** Which page of a list it is. */
export interface Pagination {
  readonly page: number
  readonly limite: number
  readonly total: number
}

interface Page {
  readonly data: readonly unknown[]
  readonly pagination: Pagination
}

/** A page of a list: it says which one it is, how many there are in all, and how to go on. */
export function listing({ data, pagination }: Page, table: string): Listed<number> {
  const { page, limite, total } = pagination
  const pages = Math.max(1, Math.ceil(total / limite))
  const goesOn = page < pages
  const next = goesOn ? ` Next: --page ${page + 1}; more at once: --limite; everything: --all.` : ''
  const footer = `Page ${page} of ${pages}, ${total} in all.${next}`
  const text = total === 0 ? table : `${table}\n\n${footer}`
  return { json: data, text, beside: footer, table, next: goesOn ? page + 1 : null }
}

interface Latest {
  readonly data: readonly unknown[]
  readonly pagination: {
    /** Null: there are no older ones. */
    readonly curseur: string | null
  }
}

/** The latest of a list whose whole nobody counts. */
export function latest({ data, pagination: { curseur } }: Latest, table: string): Listed<string> {
  const goesOn = curseur === null ? ', no older ones.' : '; older ones: --limit, or --all.'
  const footer = `${data.length} shown${goesOn}`
  const text = data.length === 0 ? table : `${table}\n\n${footer}`
  return { json: data, text, beside: footer, table, next: curseur }
}

/**
 * A whole list, written part by part as it comes, however long it is: with `--json` one array, a row in each line. What
 * comes into it meanwhile may move a row into the next part: it is not told twice there.
 */
export async function everything<At>(
  { json, stdout, stderr, terminal }: Display,
  look: (at: At | undefined) => Promise<Listed<At>>,
): Promise<undefined> {
  let count = 0
  let before = new Set<string>()
  let at: At | undefined
  for (;;) {
    const part = await look(at)
    const rows = part.json.map((row) => JSON.stringify(row))
    const fresh = rows.filter((row) => !before.has(row))
    const written = json
      ? fresh.map((row, index) => (count + index === 0 ? `[${row}` : `,\n${row}`)).join('')
      : shownSafely(`${part.table}\n`, { coloured: terminal.isTerminal })
    if (!stdout.write(written)) await once(stdout, 'drain')
    count += json ? fresh.length : rows.length
    if (part.next === null) break
    before = new Set(rows)
    at = part.next
  }
  if (json) stdout.write(count === 0 ? '[]\n' : ']\n')
  stderr.write(`${count} in all.\n`)
}
