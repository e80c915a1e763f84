import type { WorkerEvent } from '@sav/core'
import type { Api, ApiAnswer } from '@sav/http-node'

/** Spans hold ids, numbers and paths of the contract: nothing of a body, of an address or of an answer. */
export interface Tracing {
  /** A span for each attempt. */
  readonly onDelivery: (event: WorkerEvent) => void
  /**
   * The same API with a span around each call, active while it is answered and a child of the caller's `traceparent`, as
   * far as the SDK has a context manager and a propagator (the usual ones have).
   */
  readonly traced: (api: Api) => Api
  /** Gives the span of the call its name. */
  readonly onAnswer: (answer: ApiAnswer) => void
}

/**
 * Null where `@opentelemetry/api` is not installed. Without an SDK, with which the process was started (as in
 * `NODE_OPTIONS='--import ./otel.mjs'`), nothing is recorded.
 */
export async function openTracing(): Promise<Tracing | null> {
  const otel = await import('@opentelemetry/api').catch(() => null)
  if (otel === null) return null
  const { context, propagation, SpanKind, SpanStatusCode, trace } = otel
  const tracer = trace.getTracer('sav')
  const headers = { get: (request: Parameters<Api>[0], name: string) => request.header(name), keys: () => [] }
  return {
    onDelivery(event) {
      if (event.type !== 'attempt') return
      const { delivery, outcome } = event
      const { attempt, update } = outcome
      const startedAt = Date.parse(attempt.started_at)
      const span = tracer.startSpan(`deliver ${delivery.event}`, {
        kind: SpanKind.CLIENT,
        startTime: startedAt,
        attributes: {
          'sav.account.id': delivery.account_id,
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
      if (attempt.error !== null) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(startedAt + attempt.duration_ms)
    },

    traced: (api) => (request) => {
      const caller = propagation.extract(context.active(), request, headers)
      return tracer.startActiveSpan('call', { kind: SpanKind.SERVER }, caller, async (span) => {
        const response = await api(request)
        span.setAttribute('http.response.status_code', response.status)
        if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
        return response
      })
    },

    onAnswer({ method, route }) {
      const span = trace.getActiveSpan()
      span?.updateName(`${method} ${route ?? ''}`.trimEnd())
      span?.setAttributes({ 'http.request.method': method, ...(route !== null && { 'http.route': route }) })
    },
  }
}
