import type { WorkerDeps, WorkerEvent } from '@sav/core'
import type { ClaimedDelivery, Storage } from '@sav/core/ports'
import type { Api, ApiAnswer } from '@sav/http-node'

/**
 * Traces calls and deliveries. Spans contain only ids, numbers and the paths of routes, and nothing from bodies,
 * addresses or answers.
 */
export interface Tracing {
  /**
   * Begins the span of an attempt, in the trace of the call that caused the event. Returns the `traceparent` to send to
   * the receiver; null if there is none.
   */
  readonly traceAttempt: Required<WorkerDeps>['traceAttempt']
  /** Ends the span of an attempt. */
  readonly onDelivery: (event: WorkerEvent) => void
  /**
   * The API, with a span that is active while a call is answered. The span is a child of the caller's `traceparent` if
   * the SDK has a context manager and a propagator, as usual SDKs do.
   */
  readonly traced: (api: Api) => Api
  /** Names the active span, that of the call, after the route. */
  readonly onAnswer: (answer: ApiAnswer) => void
  /**
   * The storage, with a span around each transaction of a call, from its beginning to its commit. Each event is stored
   * with the `traceparent` of its call.
   */
  readonly tracedStorage: (storage: Storage) => Storage
}

/** Where `@opentelemetry/api` 1 stores the registrations of an SDK. */
const registered = Symbol.for('opentelemetry.js.api.1')

/**
 * Opens tracing. Resolves to null if `@opentelemetry/api` is not installed, or the process was not started with an SDK,
 * as with `NODE_OPTIONS='--import ./otel.mjs'`. Then tracing costs nothing.
 */
export async function openTracing(): Promise<Tracing | null> {
  if (!(registered in globalThis)) return null
  const otel = await import('@opentelemetry/api').catch(() => null)
  if (otel === null) return null
  const { context, isSpanContextValid, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = otel
  const tracer = trace.getTracer('sav')
  // Without an SDK, a span belongs to no trace. This trial span is never ended, so it is never exported.
  if (!isSpanContextValid(tracer.startSpan('start').spanContext())) return null
  const headers = { get: (request: Parameters<Api>[0], name: string) => request.header(name), keys: () => [] }
  const underWay = new WeakMap<ClaimedDelivery, ReturnType<typeof tracer.startSpan>>()

  function traceparentOf(given: ReturnType<typeof context.active>): string | null {
    const carrier: { traceparent?: string } = {}
    propagation.inject(given, carrier)
    return carrier.traceparent ?? null
  }

  function begin(delivery: ClaimedDelivery, startTime: number) {
    const cause = propagation.extract(ROOT_CONTEXT, { traceparent: delivery.traceparent ?? undefined })
    return tracer.startSpan(`deliver ${delivery.event}`, { kind: SpanKind.CLIENT, startTime }, cause)
  }

  return {
    traceAttempt(delivery, startedAt) {
      const span = begin(delivery, startedAt)
      underWay.set(delivery, span)
      return traceparentOf(trace.setSpan(ROOT_CONTEXT, span))
    },

    onDelivery(event) {
      if (event.type !== 'attempt') return
      const { delivery, outcome } = event
      const { attempt, update } = outcome
      const startedAt = Date.parse(attempt.started_at)
      const span = underWay.get(delivery) ?? begin(delivery, startedAt)
      span.setAttributes({
        'sav.account.id': delivery.account_id,
        'sav.delivery.id': delivery.id,
        'sav.event': delivery.event,
        'sav.event.id': delivery.event_id,
        'sav.channel': delivery.channel,
        'sav.target': delivery.target,
        'sav.attempt': attempt.n,
        'sav.state': update.state,
        ...(attempt.status !== null && { 'http.response.status_code': attempt.status }),
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

    tracedStorage: (storage) => ({
      ...storage,
      async transaction(work) {
        const traceparent = traceparentOf(context.active())
        if (traceparent === null) return storage.transaction(work)
        return tracer.startActiveSpan('transaction', async (span) => {
          try {
            return await storage.transaction(({ outbox, ...tx }) =>
              work({
                ...tx,
                outbox: {
                  subscribers: (account_id, event) => outbox.subscribers(account_id, event),
                  subscribe: (target, events) => outbox.subscribe(target, events),
                  add: (entry) => outbox.add({ ...entry, traceparent }),
                  addDeliveries: (more) => outbox.addDeliveries(more),
                },
              }),
            )
          } catch (error) {
            span.setStatus({ code: SpanStatusCode.ERROR })
            throw error
          } finally {
            span.end()
          }
        })
      },
    }),
  }
}
