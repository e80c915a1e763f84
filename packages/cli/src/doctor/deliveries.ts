import type { StoreStorage } from '../store/database.js'
import type { PeopleTime } from '../terminal/people-time.js'
import type { DisabledEndpoint, Findings } from './findings.js'

/** How long a due delivery may wait before somebody should know: a worker that runs takes it within a second. */
const lateMs = 60_000

/** What waits and what failed. None of it makes the installation unwell: a receiver may be the cause. */
export async function examineDeliveries(
  storage: StoreStorage,
  local: PeopleTime,
): Promise<Pick<Findings, 'facts' | 'endpoints' | 'replays' | 'warnings'>> {
  const now = Date.now()
  const oldest = await storage.queue.oldestDue(new Date(now).toISOString())
  const counts = await storage.queue.counts()
  const replays = await storage.reads.replays.running()
  const endpoints: DisabledEndpoint[] = []
  for (const account of await storage.reads.accounts.list()) {
    for (const { account_id, id, disabled_at, disabled_reason } of await storage.reads.endpoints.list(account.id))
      if (disabled_at !== null) endpoints.push({ account_id, id, disabled_at, disabled_reason })
  }
  return {
    facts: {
      oldest_due_at: oldest,
      pending_deliveries: counts.pending,
      failed_deliveries: counts.failed,
    },
    endpoints,
    replays: replays.map(({ account_id, id, matched, retried }) => ({ account_id, id, matched, retried })),
    warnings: [
      ...(oldest === null || now - Date.parse(oldest) < lateMs
        ? []
        : [
            `A delivery is due since ${local.at(oldest)} (${local.timeZone}), ${Math.round((now - Date.parse(oldest)) / 1000)} s ago: is a \`sav serve\` or \`sav worker\` running?`,
          ]),
      ...endpoints.map(({ id, disabled_at, disabled_reason }) => {
        const why = disabled_reason === null ? '' : ` (${disabled_reason})`
        return `Endpoint ${id} is disabled since ${local.at(disabled_at)} (${local.timeZone})${why}: \`sav webhooks enable ${id}\`.`
      }),
      ...(counts.failed === 0
        ? []
        : [`Deliveries that failed: ${counts.failed}. \`sav webhooks history --state failed\` shows them.`]),
    ],
  }
}
