import { besideBareLoop } from '#bare-sender'
import type { Row, Settings } from '#bench'
import { sav } from '#contenders/sav'
import { cold } from '#delivering'
import { deliverFilled, filled } from '#filled-database'
import { startPostgres } from '#postgres'
import { scratch } from '#processes'
import { type Receiver, startReceiver } from '#receiver'
import { deliverCopy } from '#sav-worker'
import { fillShop } from '#shop'
import { shopEnv } from '#shop-env'

const rounds = 3

/**
 * Measures how fast a `sav worker` that was just started sends a backlog of 20,000 deliveries, from tables that have
 * not been analyzed: from the first arrival to the last record, beside a warm bare loop, on both stores. About 60 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  await using receiver = await startReceiver()
  return [await onSqlite({ receiver, say }), await onPostgres({ receiver, say })]
}

interface Setting {
  readonly receiver: Receiver
  readonly say: Settings['say']
}

async function onSqlite({ receiver, say }: Setting): Promise<Row> {
  using folder = scratch()
  const env = shopEnv(folder.path)
  await fillShop(folder.path, env, { cases: cold.count, days: 0, receivers: [receiver.url] })
  const deliver = () => deliverCopy(env, cold, receiver)
  return await besideBareLoop('backlog-cold', { deliver, urls: [receiver.url], rounds, goal: 0.6, say })
}

async function onPostgres({ receiver, say }: Setting): Promise<Row> {
  using folder = scratch()
  await using postgres = await startPostgres()
  const us = sav(folder.path, cold)
  await us.fill({ database: await postgres.create(filled(us)), url: receiver.url })
  const deliver = () => deliverFilled(us, cold, { postgres, receiver })
  return await besideBareLoop('backlog-cold-postgres', { deliver, urls: [receiver.url], rounds, goal: 0.4, say })
}
