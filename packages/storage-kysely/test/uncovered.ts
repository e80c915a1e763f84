import { everyTable } from '../../../test/whole/tables.js'
import type { Falsification } from './falsifying.js'

/** The tables whose rows evidence covers. */
export const coveredTables = everyTable.flatMap(([name, { evidence }]) => ('none' in evidence ? [] : [name]))

/** Whether the table's declaration says that this falsification is not found. */
export function isUncovered({ table, column, kind }: Falsification, { isOpen }: { readonly isOpen: boolean }): boolean {
  const [, declared] = everyTable.find(([name]) => name === table) ?? []
  if (declared === undefined || 'none' in declared.evidence) return true
  const { evidence, columns } = declared
  if (column === null) return (kind === 'deleted' ? evidence.deleted : evidence.inserted) !== undefined
  const { uncovered, uncoveredWhileOpen } = columns[column]?.traits ?? {}
  return uncovered !== undefined || (isOpen && uncoveredWhileOpen !== undefined)
}

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

/** The cells of the lines about evidence in docs/reference/columns.md. */
export function uncoveredLines(): string[][] {
  const lines: { readonly tables: string[]; readonly what: string; readonly why: string }[] = []
  for (const [name, { evidence, columns }] of everyTable) {
    if ('none' in evidence) {
      const like = lines.find(({ what, why }) => what === 'everything' && why === evidence.none)
      if (like === undefined) lines.push({ tables: [name], what: 'everything', why: evidence.none })
      else like.tables.push(name)
      continue
    }
    const { inserted, deleted } = evidence
    if (inserted !== undefined) lines.push({ tables: [name], what: 'a row inserted', why: inserted })
    if (deleted !== undefined) lines.push({ tables: [name], what: 'a row deleted', why: deleted })
    for (const trait of ['uncovered', 'uncoveredWhileOpen'] as const) {
      const reasons = Map.groupBy(Object.entries(columns), ([, { traits }]) => traits[trait])
      for (const [why, of] of reasons) {
        const what = code(of.map(([column]) => column))
        const when = trait === 'uncovered' ? '' : 'while it is open: '
        if (why !== undefined) lines.push({ tables: [name], what: `${when}${what}`, why })
      }
    }
  }
  return lines.map(({ tables, what, why }) => [code(tables), what, why])
}

/** The lines about personal data: the columns of each table. */
export const personalLines = (): string[][] =>
  everyTable.flatMap(([name, { columns }]) => {
    const personal = Object.entries(columns).filter(([, { traits }]) => traits.isPersonal)
    return personal.length === 0 ? [] : [[code([name]), code(personal.map(([column]) => column))]]
  })
