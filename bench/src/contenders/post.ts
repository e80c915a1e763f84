import { sign } from '@sav/webhook-verify'
import { Pool } from 'undici'
import { sampleBody } from '#bare-sender'
import { inFlight } from '#delivering'

const timeoutMs = 5000
const secret = 'whsec_YmVuY2htYXJrLXNlY3JldC1vZi0zMi1ieXRlcy1sb25n'

/** The content of a job. */
export interface WebhookJob {
  readonly url: string
  readonly event_id: string
  readonly event: string
  readonly body: string
}

export const webhookJob = (url: string, n: number): WebhookJob => ({
  url,
  event_id: `evt_${String(n).padStart(26, '0')}`,
  event: 'sav.created',
  body: sampleBody,
})

/** The outcome of an attempt; the service records the same values. */
export interface Outcome {
  readonly status: number
  readonly duration_ms: number
  readonly response_headers: Readonly<Record<string, string | string[] | undefined>>
  readonly response: string
}

/**
 * Returns a function that signs a job as the service does and posts it over kept connections, all within 5 s. It
 * rejects for any answer except 2xx.
 */
export function poster(): (job: WebhookJob) => Promise<Outcome> {
  const pools = new Map<string, Pool>()
  return async ({ url, event_id, event, body }) => {
    const startedAt = Date.now()
    const signed = await sign({ id: event_id, timestamp: Math.floor(startedAt / 1000), body, secret })
    const { origin, pathname } = new URL(url)
    const pool = pools.get(origin) ?? new Pool(origin, { connections: inFlight })
    pools.set(origin, pool)
    const answer = await pool.request({
      path: pathname,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Webhook-Event': event, ...signed },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
    const response = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`answered ${answer.statusCode}`)
    return {
      status: answer.statusCode,
      duration_ms: Date.now() - startedAt,
      response_headers: answer.headers,
      response,
    }
  }
}
