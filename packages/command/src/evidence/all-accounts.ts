import type { EvidenceReport } from '@sav/core'

/** Combines the results of checking several accounts. */
export function ofAllAccounts(reports: readonly EvidenceReport[]): EvidenceReport {
  const erased = reports.flatMap((report) => report.erased ?? [])
  return {
    ...(erased.length > 0 && { erased }),
    checked: reports.reduce((all, { checked }) => all + checked, 0),
    broken: reports.flatMap(({ broken }) => broken),
  }
}
