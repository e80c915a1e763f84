import type { EvidenceReport } from '@sav/core'

/** What the checks of several accounts found together. */
export function ofAllAccounts(reports: readonly EvidenceReport[]): EvidenceReport {
  const sum = (count: 'checked' | 'uncovered' | 'uncovered_interventions') =>
    reports.reduce((all, report) => all + report[count], 0)
  const erased = reports.flatMap((report) => report.erased ?? [])
  return {
    ...(erased.length > 0 && { erased }),
    checked: sum('checked'),
    uncovered: sum('uncovered'),
    uncovered_interventions: sum('uncovered_interventions'),
    broken: reports.flatMap(({ broken }) => broken),
  }
}
