import type { AttemptOutcome } from '../delivery/delivery-queue.js'
import type { DisableReason } from '../letters/letter.js'
import type { Notify } from '../letters/notices.js'
import { TtlCache } from '../running/ttl-cache.js'
import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { dayMs, toInstant, toMs } from '../time/time.js'
import type { EndpointRecord } from './endpoint.js'

/** How long an endpoint may have nothing but failures before it is disabled. */
const patienceMs = 5 * dayMs

/** How long a healthy endpoint is cached. Another process may have seen it fail. */
const ttlMs = 60_000

/** What one recorded attempt says about its endpoint. */
export interface EndpointNews {
  readonly succeeded: boolean
  /** The attempt was the last of its run. */
  readonly exhausted: boolean
  readonly status: number | null
}

/** The endpoint as it is after an attempt; the same object when nothing changes. */
export function decideHealth(endpoint: EndpointRecord, news: EndpointNews, now: number): EndpointRecord {
  if (endpoint.disabled_at !== null) return endpoint
  if (news.succeeded) return endpoint.failing_since === null ? endpoint : { ...endpoint, failing_since: null }

  const failing_since = endpoint.failing_since ?? toInstant(now)
  const reason = reasonToDisable(news, now - toMs(failing_since))
  if (reason === null) return endpoint.failing_since === null ? { ...endpoint, failing_since } : endpoint
  const at = toInstant(now)
  return { ...endpoint, failing_since, disabled_at: at, disabled_reason: reasonTexts[reason], updated_at: at }
}

const reasonTexts: Readonly<Record<DisableReason, string>> = {
  gone: 'a delivery ended with 410 Gone',
  failing: 'five days of nothing but failures',
}

/** Whether a delivery ended for good and its receiver said that it is gone. */
const isGone = ({ exhausted, status }: EndpointNews) => exhausted && status === 410

function reasonToDisable(news: EndpointNews, failingMs: number): DisableReason | null {
  if (isGone(news)) return 'gone'
  return failingMs >= patienceMs ? 'failing' : null
}

/** Whether the service disabled it, and not a person. */
export const isDisabledByService = ({ disabled_at, disabled_reason }: EndpointRecord): boolean =>
  disabled_at !== null && Object.values(reasonTexts).includes(disabled_reason ?? '')

/** Notes which endpoints fail, and disables those that fail for too long. */
export interface EndpointHealth {
  /** Resolves to the endpoints that were disabled. */
  note(outcomes: readonly AttemptOutcome[]): Promise<EndpointRecord[]>
}

/** Writes only when something changes: a healthy endpoint costs one look-up a minute. */
export function createEndpointHealth({
  storage,
  clock,
  notify,
}: {
  readonly storage: Storage
  readonly clock: Clock
  readonly notify: Notify
}): EndpointHealth {
  const healthy = new TtlCache<string, true>(clock, ttlMs)

  async function judge(account_id: string, id: string, news: EndpointNews): Promise<EndpointRecord | null> {
    const endpoint = await storage.reads.endpoints.find(account_id, id)
    if (endpoint === null || decideHealth(endpoint, news, clock.now()) === endpoint) return null
    return storage.transaction(async (tx) => {
      const found = await tx.endpoints.find(account_id, id)
      if (found === null) return null
      const judged = decideHealth(found, news, clock.now())
      if (judged !== found) await tx.endpoints.update(judged)
      const { url, disabled_at: date } = judged
      if (found.disabled_at !== null || date === null) return null
      const reason = isGone(news) ? 'gone' : 'failing'
      await notify(tx, account_id, { type: 'endpoint_disabled', url, reason, date })
      return judged
    })
  }

  return {
    async note(outcomes) {
      const latest = new Map<string, { account_id: string; news: EndpointNews }>()
      for (const { delivery, update } of outcomes) {
        if (delivery.channel !== 'webhook') continue
        const news = {
          succeeded: update.state === 'delivered',
          exhausted: update.state === 'failed',
          status: update.last_status,
        }
        // Of several attempts at once, one success shows that the endpoint works, and an end with 410 shows that it
        // does not.
        const known = latest.get(delivery.target)?.news
        if (known === undefined || news.succeeded || (news.exhausted && !known.succeeded))
          latest.set(delivery.target, { account_id: delivery.account_id, news })
      }

      const disabled: EndpointRecord[] = []
      for (const [id, { account_id, news }] of latest) {
        if (news.succeeded && healthy.get(id)) continue
        const judged = await judge(account_id, id, news)
        if (judged !== null) disabled.push(judged)
        if (news.succeeded) healthy.set(id, true)
        else healthy.delete(id)
      }
      return disabled
    },
  }
}
