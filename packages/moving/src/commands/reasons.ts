import type { FieldProblem } from '@sav/core'
import { generalOf, sentences as ofCore } from '@sav/core/feature'
import { sentences } from '../refusals.js'

const known: Readonly<Record<string, string>> = { ...ofCore, ...sentences }

/** Why a row was refused, or partly not applied. */
export interface Reason {
  /** The reason as written for this row. */
  readonly text: string
  /** The reason as written for all rows with this reason. */
  readonly general: string
}

export const reasonOf = ({ field, code, params, message }: FieldProblem): Reason => ({
  text: `${field} ${message}`,
  general: `${field} ${generalOf(known[code] ?? message, params)}`,
})

const shownLines = 10

/** Why rows were refused, or partly not applied: each reason once, with the number of rows. */
export class Reasons {
  readonly #found = new Map<string, { text: string; count: number; readonly lines: number[] }>()

  add(line: number, reasons: readonly Reason[]): void {
    for (const { text, general } of reasons) {
      const found = this.#found.get(general) ?? { text, count: 0, lines: [] }
      this.#found.set(general, found)
      if (found.text !== text) found.text = general
      found.count += 1
      if (found.lines.length < shownLines) found.lines.push(line)
    }
  }

  /** The most frequent first. */
  list(): readonly { readonly reason: string; readonly count: number; readonly lines: readonly number[] }[] {
    const all = [...this.#found.values()].map(({ text: reason, count, lines }) => ({ reason, count, lines }))
    return all.toSorted((a, b) => b.count - a.count)
  }

  /** A table with its title; no lines if there is no reason. */
  table(title: string): string[] {
    const all = this.list()
    const width = String(all[0]?.count ?? '').length
    const rows = all.map(({ reason, count, lines }) => {
      const more = count > lines.length ? ' …' : ''
      return `  ${String(count).padStart(width)} × ${reason} (line${count === 1 ? '' : 's'} ${lines.join(', ')}${more})`
    })
    return rows.length === 0 ? [] : [title, ...rows]
  }
}
