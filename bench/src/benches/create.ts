import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Answer, bareCreations } from '#bare-creations'
import { alternate, type Row, rate, type Settings, watched } from '#bench'
import { byConnections } from '#connections'
import { creating } from '#creating'
import { scratch, startPart, startServer } from '#processes'
import { fillShop } from '#shop'
import { shopEnv } from '#shop-env'

const rounds = 7

/**
 * Measures durable creations per second over 64 connections, with two subscribed endpoints, keys, limits and audit.
 * Half of the creations have an Idempotency-Key. The baseline is a bare server that parses the same JSON and inserts
 * one row. Then the same with other numbers of connections. About 30 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  using folder = scratch()
  const env = shopEnv(folder.path)
  const receivers = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/two']
  const shop = await fillShop(folder.path, env, { cases: 0, days: 0, receivers })
  await using sav = await startServer(['--no-worker'], { folder: folder.path, env })
  await using bare = await startPart(import.meta.url, bareServer, { database: join(folder.path, 'bare.db') })

  const creatingAt =
    (port: number) =>
    (connections = 64) =>
      creating({ port, connections, callers: [shop], say })
  const [subject, baseline] = [creatingAt(sav.port), creatingAt(bare.value.port)]
  const delay = () => sav.delay()
  const creations = watched({ work: async () => (await subject()).perSecond, delay })
  const measured = await alternate({
    rounds,
    subject: creations.subject,
    baseline: async () => (await baseline()).perSecond,
    say,
  })
  return [
    { ...rate('create', 'requests/s', measured, 0.2), delay: creations.delay() },
    ...(await byConnections('create', { subject, baseline, delay })),
  ]
}

/**
 * A bare `node:http` server that does one insert per request, into a table without an index. Inserts that arrive
 * together share a commit.
 */
export async function bareServer({ database }: { database: string }): Promise<{ port: number }> {
  const db = new Database(database)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.exec(`create table cases (id integer primary key, client_id integer not null, description text not null,
    type_probleme text not null, priorite text not null, date_creation text not null)`)
  const insert = db.prepare(`insert into cases (client_id, description, type_probleme, priorite, date_creation)
    values (:client_id, :description, :type_probleme, :priorite, :date_creation)`)

  const waiting: { row: object; answer: Answer }[] = []
  const commit = db.transaction((rows: object[]) => rows.map((row) => insert.run(row).lastInsertRowid))
  const flush = () => {
    const group = waiting.splice(0)
    const ids = commit(group.map(({ row }) => row))
    for (const [index, { answer }] of group.entries()) answer(Number(ids[index]))
  }
  return bareCreations((row, answer) => {
    if (waiting.push({ row, answer }) === 1) setImmediate(flush)
  })
}
