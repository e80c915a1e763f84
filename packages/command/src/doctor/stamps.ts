import type { Settings } from '../settings/settings.js'
import type { StoreStorage } from '../store/database.js'
import type { PeopleTime } from '../terminal/people-time.js'
import type { Findings, Warning } from './findings.js'

/** How old an entry without a stamp may be before a warning. A worker requests a stamp every hour. */
const lateMs = 2 * 3_600_000

interface HowStamped {
  readonly settings: Pick<Settings, 'tsaUrl'>
  readonly local: PeopleTime
}

/** Warns about evidence chains whose newest entries have no stamp, although an authority is configured. */
export async function examineStamps(
  found: Findings,
  { reads }: StoreStorage,
  { settings, local }: HowStamped,
): Promise<void> {
  if (settings.tsaUrl === null) return
  const late: Warning[] = []
  for (const { id } of await reads.accounts.list()) {
    const stamp = await reads.evidence.latestStamp(id)
    const [unstamped] = await reads.evidence.walk(id, { afterSequence: stamp?.sequence ?? 0, limit: 1 })
    if (unstamped === undefined || Date.now() - Date.parse(unstamped.entry.date) < lateMs) continue
    late.push({
      name: id,
      sentence: `The evidence of the account ${id} has had no time stamp since ${local.zoned(unstamped.entry.date)}. A worker asks SAV_TSA_URL each hour: its log says what the authority answers.`,
    })
  }
  found.warnOf(
    late,
    (count) =>
      `The evidence of ${count} accounts has had no time stamp lately: the log of a worker says what SAV_TSA_URL answers.`,
  )
}
