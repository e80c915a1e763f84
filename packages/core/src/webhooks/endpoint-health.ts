import type { AttemptOutcome } from '../delivery/delivery-queue.js'
import type { DisableReason } from '../letters/letter.js'
import type { Notify } from '../letters/notices.js'
import { TtlCache } from '../running/ttl-cache.js'
import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { dayMs, minuteMs, toInstant, toMs } from '../time/time.js'
import type { EndpointFailures, EndpointRecord } from './endpoint.js'

/** How long an endpoint may have only failures before it is disabled. */
const patienceMs = 5 * dayMs

/**
 * The five days begin when a delivery fails this long after another one, without a success in between. A quiet shop has
 * days between two events: one failed delivery a week ago says nothing about the receiver today.
 */
const minSpanMs = dayMs / 2
const maxSpanMs = dayMs

/** How long a healthy endpoint is cached. Another process may have seen it fail meanwhile. */
const ttlMs = 60_000

/** What one recorded attempt says about its endpoint. */
export interface EndpointNews {
  readonly succeeded: boolean
  /** The attempt was the last of its run. */
  readonly exhausted: boolean
  readonly status: number | null
}

/** The endpoint after an attempt; the same object if nothing changes. */
export function decideHealth(endpoint: EndpointRecord, news: EndpointNews, now: number): EndpointRecord {
  if (endpoint.disabled_at !== null) return endpoint
  if (news.succeeded) {
    const { failing_since, failures } = endpoint
    return failing_since === null && failures === null ? endpoint : { ...endpoint, failing_since: null, failures: null }
  }
  const failures = news.exhausted ? withFailure(endpoint.failures, now) : endpoint.failures
  const failing =
    endpoint.failing_since !== null && failures === endpoint.failures
      ? endpoint
      : { ...endpoint, failing_since: endpoint.failing_since ?? toInstant(now), failures }
  const reason = reasonToDisable(news, failures, now)
  if (reason === null) return failing
  const at = toInstant(now)
  return { ...failing, disabled_at: at, disabled_reason: reasonTexts[reason], updated_at: at }
}

/** The failures, plus a delivery that failed at `now`; the same object if nothing changes. */
function withFailure(known: EndpointFailures | null, now: number): EndpointFailures {
  const at = toInstant(now)
  if (known === null) return { first: at, last: at, counted_since: null }
  if (known.counted_since !== null) return known
  const { first, last } = known
  const agoMs = (instant: string) => now - toMs(instant)
  const hasLasted = (instant: string) => agoMs(instant) >= minSpanMs && agoMs(instant) <= maxSpanMs
  // Failures between these two need not be kept. When the first is too old to count, either the last is old enough, or
  // all between them are too old as well.
  if (hasLasted(first) || hasLasted(last)) return { ...known, counted_since: at }
  if (agoMs(first) > maxSpanMs) return { ...known, first: agoMs(last) > maxSpanMs ? at : last, last: at }
  // A dead receiver fails many deliveries a second, and each change is a write. So `last` changes once a minute.
  return agoMs(last) < minuteMs ? known : { ...known, last: at }
}

const reasonTexts: Readonly<Record<DisableReason, string>> = {
  gone: 'a delivery ended with 410 Gone',
  failing: 'five days of nothing but failures',
}

/**
 * Whether a delivery ended with 410. An earlier attempt with 410 does not count, because receivers also answer it by
 * mistake while they are deployed.
 */
const isGone = ({ exhausted, status }: EndpointNews) => exhausted && status === 410

function reasonToDisable(news: EndpointNews, failures: EndpointFailures | null, now: number): DisableReason | null {
  if (isGone(news)) return 'gone'
  const since = failures?.counted_since ?? null
  return since !== null && now - toMs(since) >= patienceMs ? 'failing' : null
}

/**
 * Which of several concurrent attempts counts: a success shows that the endpoint works, a final 410 that it does not.
 */
function weightOf(news: EndpointNews): number {
  if (news.succeeded) return 3
  if (isGone(news)) return 2
  return news.exhausted ? 1 : 0
}

/** Whether the service disabled the endpoint, not a person. */
export const isDisabledByService = ({ disabled_at, disabled_reason }: EndpointRecord): boolean =>
  disabled_at !== null && Object.values(reasonTexts).includes(disabled_reason ?? '')

/** Records which endpoints fail, and disables those that fail for too long. */
export interface EndpointHealth {
  /** Resolves to the endpoints that it disabled. */
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
        const known = latest.get(delivery.target)?.news
        if (known === undefined || weightOf(news) > weightOf(known))
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
