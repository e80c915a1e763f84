import type { StoreStorage } from '../store/database.js'
import type { Findings } from './findings.js'

/** How far apart two clocks may be before dates of several machines get out of order. */
const clockToleranceMs = 1000

type DatabaseFindings = Pick<Findings, 'facts' | 'problems' | 'warnings'>

/** Version, durability in force, and the clock where the database has one of its own. */
export async function examineDatabase(storage: StoreStorage): Promise<DatabaseFindings> {
  const askedAt = Date.now()
  const facts = await storage.facts()
  if ('sqlite_version' in facts) {
    const { sqlite_version, journal_mode, synchronous } = facts
    return {
      facts: { sqlite: sqlite_version, journal_mode, synchronous },
      problems: [
        ...(journal_mode === 'wal' ? [] : [`journal_mode is ${journal_mode} instead of wal.`]),
        ...(synchronous === 'FULL'
          ? []
          : [`synchronous is ${synchronous} instead of FULL: a power cut may lose commits.`]),
      ],
      warnings: [],
    }
  }
  const { server_version, fsync, synchronous_commit, read_only, max_connections, server_time } = facts
  // Read at some moment between the question and the answer.
  const differenceMs = Math.round(Date.parse(server_time) - (askedAt + Date.now()) / 2)
  return {
    facts: {
      postgres: server_version,
      fsync,
      synchronous_commit,
      max_connections: Number(max_connections),
      clock_difference_ms: differenceMs,
    },
    problems: [
      ...(fsync === 'on' ? [] : ['fsync is off: a power cut may destroy the database.']),
      ...(read_only === 'off' ? [] : ['The database is read-only: promote it, or point SAV_DATABASE at the primary.']),
    ],
    warnings: [
      ...(synchronous_commit === 'off' ? ['synchronous_commit is off: a crash may lose the last commits.'] : []),
      ...(Math.abs(differenceMs) > clockToleranceMs
        ? [`The clock of the database differs by ${differenceMs} ms: let both machines take their time from NTP.`]
        : []),
    ],
  }
}
