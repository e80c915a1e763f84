import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { readyWorkplace } from './workplace.js'

const isFullCount = process.env['SAV_TEST_CHAOS'] === '1'
const count = isFullCount ? 50_000 : 2_000
const atOnce = 16

/** Calls that need no key. */
const heads = [
  'GET /app/session/methodes HTTP/1.1\r\nhost: localhost\r\n',
  'PUT /app/session/methodes HTTP/1.1\r\nhost: localhost\r\n',
  'OPTIONS /api/v1/sav HTTP/1.1\r\nhost: localhost\r\n',
  'GET /api/v1/sav HTTP/1.1\r\nhost: localhost\r\n',
  'GET /api/v1/sav HTTP/1.1\r\nhost: localhost\r\ncookie: __Host-sav=sav_ses_x\r\n',
  'GET /nowhere HTTP/1.1\r\nhost: localhost\r\n',
  'GET /openapi.json HTTP/1.1\r\nhost: localhost\r\nif-none-match: *\r\n',
  'GET /rdv/none HTTP/1.1\r\nhost: localhost\r\n',
]
const invitation = (port: string) => {
  const body = JSON.stringify({ token: `sav_inv_${'x'.repeat(43)}` })
  const page = `origin: http://localhost:${port}\r\nx-sav-console: 1\r\ncontent-type: application/json\r\n`
  const host = `host: localhost:${port}\r\n${page}content-length: ${body.length}\r\n`
  return `POST /app/session/invitation HTTP/1.1\r\n${host}\r\n${body}`
}

/** Makes `calls` calls on one connection from one of 200 local addresses, 50 at a time before reading. */
async function flood(url: string, connection: number, calls: number): Promise<void> {
  const { port } = new URL(url)
  const requests = [...heads.map((head) => `${head}\r\n`), invitation(port)]
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.0.9.${1 + (connection % 200)}` })
  let answered = 0
  let sent = 0
  socket.setEncoding('latin1')
  const send = () => {
    for (const until = Math.min(calls, sent + 50); sent < until; sent += 1)
      socket.write(requests[sent % requests.length] ?? '')
  }
  send()
  for await (const chunk of socket) {
    answered += String(chunk).split('HTTP/1.1 ').length - 1
    if (answered === calls) break
    if (answered === sent) send()
  }
  expect(answered).toBe(calls)
}

it(`${count} calls without a key leave a handful of audit rows and log lines, which count them`, async () => {
  const shop = await readyWorkplace()
  const service = shop.serve('--no-worker')
  const url = await service.url()
  const each = 100
  const left = Array.from({ length: count / each }, (_, n) => n)
  const lane = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await flood(url, next, each)
  }
  const since = performance.now()
  await Promise.all(Array.from({ length: atOnce }, lane))
  const seconds = (performance.now() - since) / 1000
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  const { stderr } = await service.kill('SIGTERM')

  const lines = stderr.split('\n').flatMap((line) => (line.includes('"msg":"call"') ? [JSON.parse(line)] : []))
  const db = new DatabaseSync(join(shop.dir, 'sav-data/sav.db'), { readOnly: true })
  const rows = db.prepare("select calls from audit where method <> 'CLI'").all()
  db.close()
  if (isFullCount) console.log(`${count} calls in ${seconds.toFixed(1)} s: ${rows.length} rows, ${lines.length} lines`)
  // One row a minute, and one more at the start and at the end.
  const most = 6 * (2 + Math.ceil(seconds / 60))
  expect(rows.length).toBeLessThanOrEqual(Math.min(30, most))
  expect(lines.length).toBeLessThanOrEqual(Math.min(30, most))
  expect(stderr).not.toContain('"level":"error"')
  const summed = (calls: readonly { calls?: unknown }[]) => calls.reduce((sum, { calls: n }) => sum + Number(n), 0)
  // One more if the log level includes the health check.
  expect([0, 1]).toContain(summed(lines) - count)
  // Public calls have no row: OPTIONS, the contract, and a customer's page that does not exist.
  expect(summed(rows)).toBeLessThan(count)
  expect(summed(rows)).toBeGreaterThan(count / 2)
})
