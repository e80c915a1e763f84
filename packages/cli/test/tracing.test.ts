import { describe, expect, it } from 'vitest'
import { receiverOf } from './receiver.js'
import { call, local, readyWorkplace } from './workplace.js'

/** For `node --import`: an SDK that writes each span as a line to standard output. */
const sdk = `
import { context, propagation, trace } from '${import.meta.resolve('@opentelemetry/api')}'
import { BasicTracerProvider, SimpleSpanProcessor } from '${import.meta.resolve('@opentelemetry/sdk-trace-base')}'
import { AsyncLocalStorageContextManager } from '${import.meta.resolve('@opentelemetry/context-async-hooks')}'
import { W3CTraceContextPropagator } from '${import.meta.resolve('@opentelemetry/core')}'
const exporter = {
  export(spans, done) {
    for (const span of spans) {
      const { name, kind, attributes, status, duration, parentSpanContext } = span
      process.stdout.write(JSON.stringify({
        span: name, kind, attributes, status, duration,
        id: span.spanContext().spanId, trace: span.spanContext().traceId, parent: parentSpanContext?.spanId,
      }) + '\\n')
    }
    done({ code: 0 })
  },
  shutdown: async () => {},
}
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
`

const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(sdk)}"`

describe('with an OpenTelemetry SDK', () => {
  it('each call of the API is a span with the path of the contract, which continues the trace of its caller', async () => {
    const shop = await readyWorkplace()
    const service = shop.start('serve --port 0', { ...local, NODE_OPTIONS })
    const url = await service.url()
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, authorization: `Bearer ${await shop.newKey()}` }
    await fetch(`${url}/api/v1/sav/7?recherche=canari`, { headers })
    const [line] = await service.prints(/^\{"span":"GET .*$/m)
    expect(JSON.parse(line)).toEqual({
      span: 'GET /api/v1/sav/{id}',
      kind: 1,
      status: { code: 0 },
      duration: expect.any(Array),
      id: expect.any(String),
      trace: traceId,
      parent: 'b7ad6b7169203331',
      attributes: { 'http.request.method': 'GET', 'http.route': '/api/v1/sav/{id}', 'http.response.status_code': 422 },
    })
    await fetch(`${url}/api/v1/canari`, { headers })
    expect(JSON.parse((await service.prints(/^\{"span":"GET".*$/m))[0])).toMatchObject({ span: 'GET' })
    expect(service.stdout).not.toContain('canari')
  })

  it('the trace of a call continues through its transaction to each attempt and to the receiver, without personal data', async () => {
    const shop = await readyWorkplace()
    const atelier = await receiverOf(shop)
    const key = await shop.newKey()
    const service = shop.start('serve --port 0', { ...local, NODE_OPTIONS })
    const url = await service.url()
    const made = { client_id: 1, description: 'Une porte à suivre' }
    expect(await call(url, key, 'POST', '/api/v1/sav', made)).toMatchObject({ status: 201 })
    await atelier.received(1)
    const spans = []
    for (const name of ['POST /api/v1/sav', 'transaction', 'deliver sav.created'])
      spans.push(JSON.parse((await service.prints(new RegExp(`^\\{"span":"${name}".*$`, 'm')))[0]))
    const [called, transaction, attempt] = spans
    expect(called.parent).toBeUndefined()
    expect([transaction.parent, transaction.trace]).toEqual([called.id, called.trace])
    const [delivery] = await shop.json<{ id: string; event_id: string }[]>('webhooks history')
    expect(attempt).toEqual({
      span: 'deliver sav.created',
      kind: 2,
      status: { code: 0 },
      duration: expect.any(Array),
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      trace: called.trace,
      parent: called.id,
      attributes: {
        'sav.account.id': 'default',
        'sav.delivery.id': delivery?.id,
        'sav.event': 'sav.created',
        'sav.event.id': delivery?.event_id,
        'sav.channel': 'webhook',
        'sav.target': atelier.id,
        'sav.attempt': 1,
        'sav.state': 'delivered',
        'http.response.status_code': 200,
      },
    })
    expect(atelier.headers()[0]).toMatchObject({ traceparent: `00-${called.trace}-${attempt.id}-01` })

    // This command runs without the SDK, so its delivery continues no trace.
    await shop.json(['cases', 'create', '--client-id', '1', '--description', made.description])
    const [, next = ''] = await service.prints(/^\{"span":"deliver[\s\S]*^(\{"span":"deliver.*)$/m)
    expect(JSON.parse(next).parent).toBeUndefined()
  })
})
