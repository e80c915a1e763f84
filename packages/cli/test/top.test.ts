import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { needs } from '../../../test/needs.js'
import { bare, bin, local, nodeOptions, readyWorkplace } from './workplace.js'

/** What a busy service tells, in which nothing grows but the calls of the API. */
const metrics = (calls: number) => `sav_build_info{version="1.2.3",node="26.10.0"} 1
sav_http_request_duration_seconds_bucket{le="0.005",method="GET",route="/api/v1/sav",status="200"} ${calls * 98}
sav_http_request_duration_seconds_bucket{le="0.25",method="GET",route="/api/v1/sav",status="200"} ${calls * 100}
sav_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/api/v1/sav",status="200"} ${calls * 100}
sav_http_request_duration_seconds_count{method="GET",route="/api/v1/sav",status="200"} 7
sav_delivery_attempts_total{channel="webhook",outcome="delivered"} 120345
sav_delivery_attempts_in_flight 256
sav_deliveries{state="pending"} 18734
sav_deliveries{state="failed"} 12
sav_delivery_oldest_due_age_seconds 754.2
nodejs_eventloop_lag_p99_seconds 0.0113
process_resident_memory_bytes 287309824
sav_database_up 1
`

it.runIf(needs('script', 'the screen of sav top on a terminal of 80×24'))(
  'sav top fits a terminal of 80×24, whatever it tells',
  async () => {
    let calls = 0
    const server = createServer((_, response) => {
      calls += 1
      response.end(metrics(calls))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const shop = await readyWorkplace()
    for (const n of [1, 2, 3, 4, 5, 6, 7]) {
      const url = `https://un-recepteur-au-nom-assez-long-numero-${n}.example.com/hooks`
      const { id } = await shop.json<{ id: string }>(['webhooks', 'add', url, '--all-events'], local)
      await shop.json(['webhooks', 'disable', id])
    }
    const top = `stty cols 80 rows 24; exec "$NODE" $OPTIONS "$BIN" top --metrics http://127.0.0.1:${port}/metrics`
    const env = {
      ...bare,
      TERM: 'xterm',
      NODE: process.execPath,
      OPTIONS: nodeOptions.join(' '),
      BIN: bin,
    }
    const terminal = spawn('script', ['--quiet', '--return', '--command', top, '/dev/null'], { cwd: shop.dir, env })
    onTestFinished(() => void terminal.kill())
    let shown = ''
    while (!/\d+ more: sav webhooks list/.test(shown)) shown += String((await once(terminal.stdout, 'data'))[0])
    // Ctrl-C, as it is typed.
    terminal.stdin.write('\u0003')
    const [code] = await once(terminal, 'exit')
    const lines = stripVTControlCharacters(shown).trimEnd().split(/\r?\n/)
    expect(code).toBe(0)
    expect(lines.length).toBeLessThanOrEqual(24)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    const stable = lines
      .join('\n')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, '2026-01-15 10:30:00')
      .replace(`${port}`, '9464')
    await expect(`${stable}\n`).toMatchFileSnapshot('golden/top-80x24.txt')
  },
)
