import { createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { Pool } from 'undici'
import { alternate, type Row, rate, type Settings } from '#bench'
import { listen } from '#listen'
import { logOf, runPart, scratch, startPart, startSav } from '#processes'
import { databaseOf, fillShop, shopEnv } from '#shop'

const inFlight = 64
const deliveries = 30_000
/** Of these, so many pass before the clock starts, on both sides: processes are fresh in each round. */
const warmUp = 6_000
const rounds = 5
/** The count of what is left reads an index that shrinks with it: well under a millisecond. */
const pollMs = 20
const patienceMs = 60_000

/**
 * Committed events to recorded outcomes per second by `sav worker`, to one receiver in a process of its own, beside a
 * bare loop that signs the same body once. About 35 s, half of it to write the events.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  await using receiver = await startPart(import.meta.url, bareReceiver, {})
  const url = `http://127.0.0.1:${receiver.value.port}/`
  let body = ''
  const measured = await alternate({
    rounds,
    warmUps: 0,
    subject: async () => {
      const worked = await deliverAll(url)
      body = worked.body
      return worked.perSecond
    },
    baseline: () => runPart(import.meta.url, bareLoop, { url, body }),
    say,
  })
  return [rate('deliver', 'deliveries/s', measured, 0.5)]
}

/** Fills a store, then lets a worker loose on it; `body` is what it sent last. */
async function deliverAll(receiver: string): Promise<{ perSecond: number; body: string }> {
  using folder = scratch()
  const env = { ...shopEnv(folder.path), SAV_WEBHOOK_CONCURRENCY: `${inFlight},${inFlight}` }
  await fillShop(folder.path, env, { cases: deliveries, days: 0, receivers: [receiver] })

  const db = new Database(databaseOf(env), { readonly: true })
  const pending = db.prepare<[], number>("select count(*) from deliveries where state = 'pending'").pluck()
  const delivered = db.prepare<[], number>("select count(*) from deliveries where state = 'delivered'").pluck()
  const body = db.prepare<[], string>('select body from events order by id desc limit 1').pluck()

  await using worker = startSav(['worker'], { folder: folder.path, env })
  const deadline = performance.now() + patienceMs
  let first: { left: number; at: number } | null = null
  for (;;) {
    const left = pending.get() ?? 0
    const at = performance.now()
    if (first === null && left <= deliveries - warmUp) first = { left, at }
    if (first !== null && left === 0) {
      const done = delivered.get()
      if (done !== deliveries) throw new Error(`${done} of ${deliveries} deliveries arrived`)
      const perSecond = (first.left / (at - first.at)) * 1000
      const sent = body.get() ?? ''
      db.close()
      return { perSecond, body: sent }
    }
    if (worker.child.exitCode !== null) throw new Error(`sav worker ended\n${logOf(folder.path)}`)
    if (at > deadline) throw new Error(`${left} of ${deliveries} deliveries are still pending\n${logOf(folder.path)}`)
    await wait(pollMs)
  }
}

/** Answers 200 to whatever comes. */
export async function bareReceiver(): Promise<{ port: number }> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.writeHead(200, { 'Content-Length': 2 })
      response.end('ok')
    })
  })
  return listen(server)
}

/** What a sender costs at least: one HMAC, one POST over a kept connection, an answer read to its end. */
export async function bareLoop({ url, body }: { url: string; body: string }): Promise<number> {
  const pool = new Pool(url, { connections: inFlight, pipelining: 1 })
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  let sent = 0
  let start = 0
  const sender = async () => {
    while (sent < deliveries) {
      sent += 1
      if (sent === warmUp) start = performance.now()
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const answer = await pool.request({
        path: '/',
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Webhook-Signature': `sha256=${signature}` },
        body,
      })
      if (answer.statusCode !== 200) throw new Error(`the receiver answered ${answer.statusCode}`)
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: inFlight }, sender))
  const elapsedMs = performance.now() - start
  await pool.close()
  return ((deliveries - warmUp) / elapsedMs) * 1000
}
