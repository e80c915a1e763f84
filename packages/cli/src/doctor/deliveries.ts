import type { StoreStorage } from '../store/database.js'
import type { PeopleTime } from '../terminal/people-time.js'
import type { Findings } from './findings.js'

/** How long a due delivery may wait before somebody should know: a worker that runs takes it within a second. */
const lateMs = 60_000

/** What waits and what failed. None of it makes the installation unwell: a receiver may be the cause. */
export async function examineDeliveries(
  { facts, endpoints, replays, warnings }: Findings,
  storage: StoreStorage,
  local: PeopleTime,
): Promise<void> {
  const now = Date.now()
  const oldest = await storage.queue.oldestDue(new Date(now).toISOString())
  const { pending, failed } = await storage.queue.counts()
  Object.assign(facts, { oldest_due_at: oldest, pending_deliveries: pending, failed_deliveries: failed })
  for (const { account_id, id, matched, retried } of await storage.reads.replays.running())
    replays.push({ account_id, id, matched, retried })
  const late = oldest === null ? 0 : now - Date.parse(oldest)
  if (late >= lateMs)
    warnings.push(
      `A delivery is due since ${local.at(oldest)} (${local.timeZone}), ${Math.round(late / 1000)} s ago: is a \`sav serve\` or \`sav worker\` running?`,
    )
  for (const account of await storage.reads.accounts.list())
    for (const { account_id, id, disabled_at, disabled_reason } of await storage.reads.endpoints.list(account.id)) {
      if (disabled_at === null) continue
      endpoints.push({ account_id, id, disabled_at, disabled_reason })
      const why = disabled_reason === null ? '' : ` (${disabled_reason})`
      warnings.push(
        `Endpoint ${id} is disabled since ${local.at(disabled_at)} (${local.timeZone})${why}: \`sav webhooks enable ${id}\`.`,
      )
    }
  if (failed > 0)
    warnings.push(`Deliveries that failed: ${failed}. \`sav webhooks history --state failed\` shows them.`)
}
