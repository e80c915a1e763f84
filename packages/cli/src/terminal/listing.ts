import type { Output } from '../invocation/output.js'

interface Page {
  readonly items: readonly unknown[]
  readonly page: number
  readonly limite: number
  readonly total: number
}

/** A page of a list: it says which one it is, how many there are in all, and how to go on. */
export function listing(found: Page, text: string): Output {
  const { items, page, limite, total } = found
  const pages = Math.max(1, Math.ceil(total / limite))
  const next = page < pages ? ` Next: --page ${page + 1}; more at once: --limite.` : ''
  const footer = `Page ${page} of ${pages}, ${total} in all.${next}`
  return { json: items, text: total === 0 ? text : `${text}\n\n${footer}`, beside: footer }
}

interface Latest {
  readonly items: readonly unknown[]
  /** Null: there are no older ones. */
  readonly curseur: string | null
}

/** The latest of a list whose whole nobody counts. */
export function latest({ items, curseur }: Latest, text: string): Output {
  const goesOn = curseur === null ? ', no older ones.' : '; older ones: --limit.'
  const footer = `${items.length} shown${goesOn}`
  return { json: items, text: items.length === 0 ? text : `${text}\n\n${footer}`, beside: footer }
}
