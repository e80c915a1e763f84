import { readFileSync } from 'node:fs'
import type { Falsification } from './falsifying.js'

/** A line of what docs/security.md says that evidence does not cover. */
export interface Uncovered {
  readonly table: string
  readonly everything: boolean
  readonly columns: readonly string[]
  readonly deleted: boolean
  readonly inserted: boolean
  /** Holds for rows of open cases alone. */
  readonly whileOpen: boolean
}

const names = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

export function readUncovered(): Uncovered[] {
  const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8')
  const section = /### What evidence does not cover\n(.*?)\n## /s.exec(page)?.[1] ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('| `'))
  return lines.flatMap((line) => {
    const [, tables = '', what = ''] = line.split('|')
    return names(tables).map((table) => ({
      table,
      everything: what.includes('everything'),
      columns: names(what),
      deleted: what.includes('a row deleted'),
      inserted: what.includes('a row inserted'),
      whileOpen: what.includes('while it is open'),
    }))
  })
}

/** Whether the documentation says that nobody finds this out. */
export function isUncovered(
  { table, column, kind }: Falsification,
  uncovered: readonly Uncovered[],
  { isOpen }: { readonly isOpen: boolean },
): boolean {
  return uncovered.some((line) => {
    if (line.table !== table || (line.whileOpen && !isOpen)) return false
    if (line.everything) return true
    if (column === null) return kind === 'deleted' ? line.deleted : line.inserted
    return line.columns.includes(column)
  })
}
