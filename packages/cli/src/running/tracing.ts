import type { WorkerEvent } from '@sav/core'

/**
 * A span for each attempt, where `@opentelemetry/api` is installed and the process was started with an SDK (as in
 * `NODE_OPTIONS='--import ./otel.mjs'`); null where it is not installed. Attributes are ids and numbers: nothing of the
 * body, of the receiver's address or of its answer.
 */
export async function openTracing(): Promise<((event: WorkerEvent) => void) | null> {
  const api = await import('@opentelemetry/api').catch(() => null)
  if (api === null) return null
  const tracer = api.trace.getTracer('sav')
  return (event) => {
    if (event.type !== 'attempt') return
    const { delivery, outcome } = event
    const { attempt, update } = outcome
    const startedAt = Date.parse(attempt.started_at)
    const span = tracer.startSpan(`deliver ${delivery.event}`, {
      kind: api.SpanKind.CLIENT,
      startTime: startedAt,
      attributes: {
        'sav.delivery.id': delivery.id,
        'sav.event': delivery.event,
        'sav.event.id': delivery.event_id,
        'sav.channel': delivery.channel,
        'sav.target': delivery.target,
        'sav.attempt': attempt.n,
        'sav.state': update.state,
        ...(attempt.status !== null && { 'http.response.status_code': attempt.status }),
      },
    })
    if (attempt.error !== null) span.setStatus({ code: api.SpanStatusCode.ERROR })
    span.end(startedAt + attempt.duration_ms)
  }
}
