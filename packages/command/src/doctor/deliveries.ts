import { lastMetLimit, ownLimits } from '@sav/core/adapter'
import type { StoreStorage } from '../store/database.js'
import { inAccount } from '../syntax/in-account.js'
import type { PeopleTime } from '../terminal/people-time.js'
import { counted } from '../terminal/terminal.js'
import { everyReceiver } from '../webhooks/every-receiver.js'
import { wordsOnHealth } from '../webhooks/health.js'
import type { Findings, Warning } from './findings.js'

/** How long a delivery may be due before a warning. A running worker claims a due delivery within a second. */
const lateMs = 60_000

/** How long a delivery to a slow receiver may be due before a warning. */
const behindMs = 15 * 60_000

/**
 * How long a letter may be due before a warning. Letters about appointments are held for a minute, and a mail server
 * may ask for a later attempt.
 */
const lettersLateMs = 15 * 60_000

/** For how long the doctor reports that a limit of this machine or process (`ownLimits`) delayed deliveries. */
const limitReportedMs = 24 * 3_600_000

/** Reports waiting and failed deliveries. They do not make the doctor fail, because the cause may be a receiver. */
export async function examineDeliveries(found: Findings, storage: StoreStorage, local: PeopleTime): Promise<void> {
  const { facts, replays, warnings } = found
  const now = Date.now()
  const instantOf = (ms: number) => new Date(ms).toISOString()
  const { oldest_due, oldest_unclaimed, targets_behind } = await storage.queue.lateness({
    now: instantOf(now),
    behindSince: instantOf(now - behindMs),
  })
  const { pending, failed } = await storage.queue.counts()
  Object.assign(facts, { oldest_due_at: oldest_due, pending_deliveries: pending, failed_deliveries: failed })
  for (const { account_id, id, matched, retried } of await storage.reads.replays.running())
    replays.push({ account_id, id, matched, retried })
  if (oldest_unclaimed !== null && now - Date.parse(oldest_unclaimed) >= lateMs)
    warnings.push(
      `A delivery has been due since ${local.zoned(oldest_unclaimed)}, ${Math.round((now - Date.parse(oldest_unclaimed)) / 1000)} s ago, and no worker took it: is a \`sav serve\` or \`sav worker\` running?`,
    )
  else if (targets_behind > 0)
    warnings.push(
      `Deliveries have waited for more than 15 minutes for ${counted(targets_behind, 'receiver')}. These receivers are slow or dead, or no worker is running: \`sav webhooks health --all-accounts\` shows the receivers.`,
    )
  const met = await lastMetLimit(storage.reads)
  if (met !== null && now - Date.parse(met.at) < limitReportedMs)
    warnings.push(
      `On ${local.zoned(met.at)}, webhooks had to wait (${met.limit}): ${ownLimits[met.limit]}. The wait does not count against any receiver.`,
    )
  await examineReceivers(found, storage, local)
  const letters = await storage.waitingLetters()
  Object.assign(facts, { waiting_letters: letters.total, oldest_letter_at: letters.oldest })
  if (letters.oldest !== null && now - Date.parse(letters.oldest) >= lettersLateMs) {
    const why = letters.last_error === null ? '' : ` (${letters.last_error})`
    warnings.push(`Letters that wait: ${letters.total}, the oldest for ${local.ageOf(letters.oldest)}${why}.`)
  }
  if (failed > 0)
    warnings.push(
      `Deliveries that failed: ${failed}. \`sav webhooks history --state failed --all-accounts\` shows them.`,
    )
}

/** Reports disabled and unhealthy endpoints. */
async function examineReceivers(found: Findings, storage: StoreStorage, local: PeopleTime): Promise<void> {
  const [disabled, failing]: [Warning[], Warning[]] = [[], []]
  for (const { account_id, id, url, disabled_at, disabled_reason, sante } of await everyReceiver(storage)) {
    const name = `${id} (account ${account_id})`
    if (disabled_at !== null) {
      found.endpoints.push({ account_id, id, disabled_at, disabled_reason })
      const why = disabled_reason === null ? '' : ` (${disabled_reason})`
      const remedy = inAccount(`sav webhooks enable ${id}`, account_id)
      const since = local.zoned(disabled_at)
      disabled.push({ name, sentence: `Endpoint ${id} has been disabled since ${since}${why}: \`${remedy}\`.` })
    } else if (sante.etat !== 'ok') {
      found.receivers.push({ account_id, id, url, sante })
      const remedy = inAccount(`sav webhooks health ${id}`, account_id)
      failing.push({ name, sentence: `Receiver ${id} ${wordsOnHealth(sante, local.zoned)}: \`${remedy}\`.` })
    }
  }
  const list = '`sav webhooks health --all-accounts`'
  found.warnOf(failing, (count) => `${count} receivers fail: ${list} lists them.`)
  found.warnOf(disabled, (count) => `${count} endpoints are disabled: ${list} lists them.`)
}
