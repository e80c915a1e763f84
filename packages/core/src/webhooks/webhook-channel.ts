import { sign } from '@sav/webhook-verify'
import type { Sealer } from '../crypto/sealing.js'
import type { Secret } from '../crypto/secret.js'
import type { Channel, SendResult } from '../delivery/channel.js'
import type { ClaimedDelivery } from '../delivery/delivery-queue.js'
import { failures } from '../receivers/failures.js'
import { TtlCache } from '../running/ttl-cache.js'
import type { Reads } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toMs } from '../time/time.js'
import type { HttpSender } from './http-sender.js'
import { openHeaders, sealedAs } from './sealed-endpoint.js'

/** An endpoint with its opened secrets. */
interface Receiver {
  readonly disabled: boolean
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly secret: Secret
  /** The earlier secrets that still sign, oldest first. */
  readonly previous: readonly { readonly secret: Secret; readonly until: number }[]
}

/** How long an endpoint is cached. A change made in another process takes effect within a second. */
const ttlMs = 500

/**
 * Begins the trace of an attempt that began at `startedAt` (ms). Its result is sent as the header `traceparent` (W3C
 * Trace Context). Null: no header is sent.
 */
export type TraceAttempt = (delivery: ClaimedDelivery, startedAt: number) => string | null

export interface WebhookChannelDeps {
  readonly reads: Pick<Reads, 'endpoints'>
  readonly http: HttpSender
  readonly timeoutMs: number
  readonly sealer: Sealer
  readonly clock: Clock
  /** See WorkerDeps. */
  readonly traceAttempt?: TraceAttempt | undefined
}

/** Signs an event for its endpoint, by the specification and by Standard Webhooks, and posts it. */
export function webhookChannel({
  reads,
  http,
  timeoutMs,
  sealer,
  clock,
  traceAttempt = untraced,
}: WebhookChannelDeps): Channel {
  const cache = new TtlCache<string, Promise<Receiver | null>>(clock, ttlMs)

  async function load(target: string): Promise<Receiver | null> {
    const endpoint = await reads.endpoints.ofTarget(target)
    if (endpoint === null) return null
    const open = (sealed: string) => sealer.open(sealed, sealedAs(endpoint, 'secret'))
    return {
      disabled: endpoint.disabled_at !== null,
      url: endpoint.url,
      headers: openHeaders(sealer, endpoint),
      secret: open(endpoint.sealed_secret),
      previous: endpoint.previous_secrets.map(({ sealed, expires_at }) => ({
        secret: open(sealed),
        until: toMs(expires_at),
      })),
    }
  }

  function receiverOf(target: string): Promise<Receiver | null> {
    const known = cache.get(target)
    if (known) return known
    const receiver = load(target)
    cache.set(target, receiver)
    receiver.catch(() => cache.forget((value) => value === receiver))
    return receiver
  }

  return {
    timeoutMs,
    async send(delivery, { startedAt }) {
      const since = clock.monotonic()
      const receiver = await receiverOf(delivery.target)
      if (receiver === null) return removed
      if (receiver.disabled) return null
      const previous = receiver.previous.filter(({ until }) => startedAt < until).map(({ secret }) => secret)
      // While rotations overlap, X-Webhook-Signature is made with the oldest secret, so that no receiver fails before
      // it knows a newer one.
      const [oldest = receiver.secret, ...later] = [...previous, receiver.secret]
      const signed = await sign({
        id: delivery.event_id,
        timestamp: Math.floor(startedAt / 1000),
        body: delivery.body,
        secret: oldest.reveal(),
        nextSecret: later.map((secret) => secret.reveal()),
      })
      const traceparent = traceAttempt(delivery, startedAt)
      const headers = {
        ...receiver.headers,
        ...(traceparent !== null && { traceparent }),
        'Content-Type': 'application/json',
        'X-Webhook-Event': delivery.event,
        ...signed,
      }
      const leftMs = Math.max(1, timeoutMs - (clock.monotonic() - since))
      const { account_id, body } = delivery
      return http.post({ account_id, url: receiver.url, headers, body, timeoutMs: leftMs })
    },
  }
}

const untraced: TraceAttempt = () => null

const removed: SendResult = {
  ok: false,
  status: null,
  error: failures.endpoint_removed.words,
  errorCode: 'endpoint_removed',
  unreachable: false,
  durationMs: 0,
  responseHeaders: null,
  response: null,
}
