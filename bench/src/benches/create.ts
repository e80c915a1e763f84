import { createServer } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { alternate, type Row, rate, type Settings } from '#bench'
import { listen } from '#listen'
import { load } from '#load'
import { scratch, startPart, startServer } from '#processes'
import { fillShop, shopEnv } from '#shop'

const roundMs = 1500
const rounds = 9

/**
 * Durable creations per second at 64 connections, two subscribed endpoints, every check on, beside a bare server that
 * parses the same JSON and inserts one row. About 35 s.
 */
export async function run({ say }: Settings): Promise<Row[]> {
  using folder = scratch()
  const env = shopEnv(folder.path)
  const receivers = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/two']
  const { key, client_id } = await fillShop(folder.path, env, { cases: 0, days: 0, receivers })
  await using sav = await startServer(['--no-worker'], { folder: folder.path, env })
  await using bare = await startPart(import.meta.url, bareServer, { database: join(folder.path, 'bare.db') })

  const creation = {
    connections: 64,
    durationMs: roundMs,
    method: 'POST',
    path: '/api/v1/sav',
    status: 201,
    body: JSON.stringify({
      client_id,
      description: 'La porte du meuble haut frotte contre la corniche depuis la pose.',
      type_probleme: 'reglage',
      priorite: 'haute',
    }),
  } as const
  const perSecond = async (name: string, port: number) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'X-Request-Timestamp': String(Math.floor(Date.now() / 1000)),
      'Content-Type': 'application/json',
    }
    const { perSecond, busy } = await load({ ...creation, port, headers })
    if (busy > 0.95) say(`the loader itself was busy for ${Math.round(busy * 100)} % of a core with ${name}`)
    return perSecond
  }
  const measured = await alternate({
    rounds,
    subject: () => perSecond('sav', sav.port),
    baseline: () => perSecond('the baseline', bare.value.port),
    say,
  })
  return [rate('create', 'requests/s', measured, 0.18)]
}

/** Node's own server, and one insert a request into a table without an index; those that arrive together share a commit. */
export async function bareServer({ database }: { database: string }): Promise<{ port: number }> {
  const db = new Database(database)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.exec(`create table cases (id integer primary key, client_id integer not null, description text not null,
    type_probleme text not null, priorite text not null, date_creation text not null)`)
  const insert = db.prepare(`insert into cases (client_id, description, type_probleme, priorite, date_creation)
    values (:client_id, :description, :type_probleme, :priorite, :date_creation)`)

  const waiting: { row: object; answer: (id: number | bigint) => void }[] = []
  const commit = db.transaction((rows: object[]) => rows.map((row) => insert.run(row).lastInsertRowid))
  const flush = () => {
    const group = waiting.splice(0)
    const ids = commit(group.map(({ row }) => row))
    for (const [index, { answer }] of group.entries()) answer(ids[index] ?? 0)
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const row = { ...JSON.parse(Buffer.concat(chunks).toString()), date_creation: new Date().toISOString() }
      const answer = (id: number | bigint) => {
        const text = JSON.stringify({
          success: true,
          data: { id, reference: `SAV-2026-${String(id).padStart(5, '0')}` },
        })
        response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
        response.end(text)
      }
      if (waiting.push({ row, answer }) === 1) setImmediate(flush)
    })
  })
  return listen(server)
}
