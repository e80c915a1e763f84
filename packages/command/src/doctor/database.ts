import type { StoreStorage } from '../store/database.js'
import type { Findings } from './findings.js'

/** How far two clocks may differ before dates of several machines get out of order. */
const clockToleranceMs = 1000

/** Checks the database: its version, its effective durability, and its clock if it has one of its own. */
export async function examineDatabase({ facts, problems, warnings }: Findings, storage: StoreStorage): Promise<void> {
  const found = await storage.facts()
  if ('sqlite_version' in found) {
    const { sqlite_version, journal_mode, synchronous } = found
    Object.assign(facts, { sqlite: sqlite_version, journal_mode, synchronous })
    if (journal_mode !== 'wal') problems.push(`journal_mode is ${journal_mode} instead of wal.`)
    if (synchronous !== 'FULL')
      problems.push(`synchronous is ${synchronous} instead of FULL: a power cut may lose commits.`)
    return
  }
  const { server_version, fsync, synchronous_commit, read_only, max_connections } = found
  const differenceMs = storage.clockDifferenceMs?.() ?? 0
  Object.assign(facts, { postgres: server_version, fsync, synchronous_commit })
  Object.assign(facts, { max_connections: Number(max_connections), clock_difference_ms: differenceMs })
  if (fsync !== 'on') problems.push('fsync is off: a power cut may destroy the database.')
  if (read_only !== 'off') problems.push('The database is read-only: promote it, or point SAV_DATABASE at the primary.')
  if (synchronous_commit === 'off') warnings.push('synchronous_commit is off: a crash may lose the last commits.')
  if (Math.abs(differenceMs) > clockToleranceMs)
    warnings.push(
      `The clock of the database differs by ${differenceMs} ms: synchronise the clocks of both machines by NTP.`,
    )
}
