import { describe, expect, it } from 'vitest'
import { receiver } from './receiver.js'
import { local, readyWorkplace } from './workplace.js'

/** For `node --import`: an SDK that writes each span as a line to standard output. */
const sdk = `
import { trace } from '${import.meta.resolve('@opentelemetry/api')}'
import { BasicTracerProvider, SimpleSpanProcessor } from '${import.meta.resolve('@opentelemetry/sdk-trace-base')}'
const exporter = {
  export(spans, done) {
    for (const { name, kind, attributes, status, duration } of spans)
      process.stdout.write(JSON.stringify({ span: name, kind, attributes, status, duration }) + '\\n')
    done({ code: 0 })
  },
  shutdown: async () => {},
}
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
`

describe('with an OpenTelemetry SDK', () => {
  it('each attempt is a span without personal data', async () => {
    const shop = await readyWorkplace()
    const atelier = await receiver()
    const { id, secret } = await shop.json<{ id: string; secret: string }>(
      ['webhooks', 'add', atelier.url, '--all-events'],
      local,
    )
    atelier.trust(secret)
    const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(sdk)}"`
    const worker = shop.start(['worker'], { ...local, NODE_OPTIONS })
    await shop.json(['cases', 'create', '--client-id', '1', '--description', 'Une porte à suivre'])
    const [line] = await worker.prints(/^\{"span".*$/m)
    const [delivery] = await shop.json<{ id: string; event_id: string }[]>(['webhooks', 'history'])
    const span = JSON.parse(line)
    expect(span).toEqual({
      span: 'deliver sav.created',
      kind: 2,
      status: { code: 0 },
      duration: expect.any(Array),
      attributes: {
        'sav.delivery.id': delivery?.id,
        'sav.event': 'sav.created',
        'sav.event.id': delivery?.event_id,
        'sav.channel': 'webhook',
        'sav.target': id,
        'sav.attempt': 1,
        'sav.state': 'delivered',
        'http.response.status_code': 200,
      },
    })
  })
})
