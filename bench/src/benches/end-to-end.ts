import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { sendBare } from '#bare-sender'
import { alternate, type Row, rate, type Settings, watched } from '#bench'
import { creating } from '#creating'
import { inFlight } from '#delivering'
import { query, startPostgres } from '#postgres'
import { scratch, startServer } from '#processes'
import { startReceiver } from '#receiver'
import { fillShop } from '#shop'
import { fileOf, isPostgres, type ShopEnv, shopEnv } from '#shop-env'

const rounds = 3
const creatingMs = 3000
const pollMs = 10
const patienceMs = 60_000

/**
 * Creates cases over 64 connections for 3 s, with one endpoint, and with API and worker in one `sav serve`. Measured
 * from the first request to the last recorded delivery, beside the bare loop of `deliver`, on both stores, in a shop of
 * 2,000 cases. About 60 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  await using postgres = await startPostgres()
  const stores = [
    { name: 'end-to-end', database: undefined, goal: 0.09 },
    { name: 'end-to-end-postgres', database: await postgres.create('sav'), goal: 0.06 },
  ]
  const rows: Row[] = []
  for (const { name, database, goal } of stores) {
    using folder = scratch()
    await using receiver = await startReceiver()
    const env = { ...shopEnv(folder.path, database), SAV_WEBHOOK_CONCURRENCY: `${inFlight},${inFlight}` }
    const shop = await fillShop(folder.path, env, { cases: 2000, days: 10, receivers: [receiver.url] })
    await using server = await startServer([], { folder: folder.path, env })
    await everythingDelivered(env)
    const work = async () => {
      const before = await receiver.arrivals()
      const start = performance.now()
      await creating({ port: server.port, callers: [shop], durationMs: creatingMs, say })
      await everythingDelivered(env)
      const elapsedMs = performance.now() - start
      return (((await receiver.arrivals()) - before) / elapsedMs) * 1000
    }
    const deliveries = watched({ work, delay: () => server.delay() })
    const measured = await alternate({
      rounds,
      subject: deliveries.subject,
      baseline: () => sendBare({ urls: [receiver.url] }),
      say,
    })
    rows.push({ ...rate(name, 'deliveries/s', measured, goal), delay: deliveries.delay() })
  }
  return rows
}

/** Resolves when no delivery is waiting. */
async function everythingDelivered(env: ShopEnv): Promise<void> {
  const waiting = "select 1 from delivery_queue where account_id = 'default' limit 1"
  const isDone = async () => {
    if (isPostgres(env)) return (await query(env.SAV_DATABASE, waiting)).length === 0
    const db = new Database(fileOf(env), { readonly: true })
    try {
      return db.prepare(waiting).get() === undefined
    } finally {
      db.close()
    }
  }
  const deadline = performance.now() + patienceMs
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`not everything was delivered within ${patienceMs} ms`)
    await wait(pollMs)
  }
}
