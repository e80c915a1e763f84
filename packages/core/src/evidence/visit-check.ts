import { erasedText, type HistoryLink } from './history-chain.js'
import { changedFields, type Visit, type VisitSeal, visitSeal } from './visit-digests.js'

/**
 * Checks that every visit has its history line, with the digests of its fields, and that each such line has its visit.
 * @param seals the visits in the latest snapshot
 */
export function faultsOfVisits(
  visits: readonly Visit[],
  lines: readonly HistoryLink[],
  seals: readonly VisitSeal[],
): string[] {
  const faults: string[] = []
  const byId = new Map(visits.map((visit) => [visit.id, visit]))
  const told = new Set<number>()
  for (const { type, champ, nouvelle_valeur, numero, sel, empreintes } of lines) {
    if (type !== 'intervention' || champ !== 'intervention') continue
    const id = Number(nouvelle_valeur)
    told.add(id)
    const visit = byId.get(id)
    if (visit === undefined) faults.push(`intervention ${id} of line ${numero} of the history is missing`)
    else {
      const changed = changedFields(visit, empreintes?.intervention ?? {}, sel, erasedText)
      if (changed.length > 0)
        faults.push(`intervention ${id} differs from its line in the history: ${changed.join(', ')}`)
    }
  }
  for (const { id } of visits) if (!told.has(id)) faults.push(`intervention ${id} is missing from the history`)
  for (const { id, empreinte } of seals) {
    const visit = byId.get(id)
    if (visit === undefined) faults.push(`intervention ${id}, which the last close names, is missing`)
    else if (visitSeal(visit).empreinte !== empreinte)
      faults.push(`intervention ${id} was changed after the case was closed`)
  }
  return faults
}
