import { once } from 'node:events'
import type { Output } from '../process/outcome.js'
import { type Columns, chosen, listTable } from './columns.js'
import { jsonText } from './safe-text.js'
import { wrapped } from './table.js'
import { type Display, shownSafely, terminalOf } from './terminal.js'

/** The part of a list to read; default: the first one. */
interface Part {
  readonly curseur?: string
  readonly limite?: number
}

interface Rows<Row> {
  readonly data: readonly Row[]
  /**
   * `curseur` is the cursor of the next part, or null after the last one. A list with pages also has the page's number.
   */
  readonly pagination:
    | { readonly curseur: string | null }
    | { readonly curseur: string | null; readonly page: number; readonly limite: number; readonly total: number }
}

/** A list that is read in several parts. */
export interface List<Row> extends Columns<Row> {
  readonly get: (part: Part) => Promise<Rows<Row>>
  /** The most rows that a part can have. */
  readonly largest: number
}

export const largestPage = 200
export const largestLatest = 1000

/** Shows a part of a list, or with `--all` the whole list. */
export const listed = <Row extends object>(
  display: Display,
  list: List<Row>,
  all: boolean | undefined,
): Promise<Output | undefined> => (all ? everything(display, list) : firstPart(display, list))

/**
 * Shows one part of a list. A line below says which part it is and how to see more; with `--json`, only at a terminal.
 */
export async function firstPart<Row extends object>(display: Display, list: List<Row>): Promise<Output> {
  const { data, pagination } = await list.get({})
  const table = listTable(display, list, data)
  const footer = footerOf(data.length, pagination)
  const isEmpty = 'total' in pagination ? pagination.total === 0 : data.length === 0
  return {
    json: chosen(display, data),
    text: isEmpty ? table : `${table}\n\n${wrapped(footer, display.terminal.columns)}`,
    ...(isAttended(display) && { beside: footer }),
  }
}

const isAttended = ({ stderr, env }: Display): boolean => terminalOf(stderr, env).isTerminal

function footerOf(count: number, pagination: Rows<unknown>['pagination']): string {
  if (!('total' in pagination))
    return `${count} shown${pagination.curseur === null ? ', no older ones.' : '; older ones: --limit, or --all.'}`
  const { page, limite, total } = pagination
  const pages = Math.max(1, Math.ceil(total / limite))
  const next = page < pages ? ` Next: --page ${page + 1}; more at once: --limite; everything: --all.` : ''
  return `Page ${page} of ${pages}, ${total} in all.${next}`
}

/**
 * The lines of one part of a list. A terminal repeats the headings for each part, because its columns have their own
 * widths. A pipe gets the headings once.
 */
function tableOf<Row extends object>(
  display: Display,
  list: List<Row>,
  { data, isFirst }: { readonly data: readonly Row[]; readonly isFirst: boolean },
): string {
  const lines = `${listTable(display, list, data)}\n`
  if (isFirst) return lines
  if (data.length === 0) return ''
  return display.terminal.isTerminal ? lines : lines.slice(lines.indexOf('\n') + 1)
}

/**
 * Writes a whole list, part by part as it arrives. With `--json`, it is one array with a row on each line. If some rows
 * change meanwhile, none of the others is repeated or missing.
 */
async function everything<Row extends object>(display: Display, list: List<Row>): Promise<undefined> {
  const { json, stdout, stderr, terminal } = display
  let count = 0
  for (let part: Part | null = {}; part !== null; ) {
    const { data, pagination }: Rows<Row> = await list.get({ ...part, limite: list.largest })
    const written = json
      ? chosen(display, data)
          .map((row, index) => `${count + index === 0 ? '[' : ',\n'}${jsonText(row)}`)
          .join('')
      : shownSafely(tableOf(display, list, { data, isFirst: count === 0 }), { coloured: terminal.isTerminal })
    if (!stdout.write(written)) await once(stdout, 'drain')
    count += data.length
    part = pagination.curseur === null ? null : { curseur: pagination.curseur }
  }
  if (json) stdout.write(count === 0 ? '[]\n' : ']\n')
  if (!json || isAttended(display)) stderr.write(`${count} in all.\n`)
}
