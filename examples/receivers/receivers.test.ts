import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSeenEvents } from '@sav/webhook-verify/testing'
import { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import { freshDatabase } from '../../test/postgres.js'
import { type Delivery, deliveries, secret, startReceiver } from './receivers.js'
import { seenInPostgres } from './seen-postgres.js'
import { seenInSqlite } from './seen-sqlite.js'

describe('a receiver accepts only signed webhooks', () => {
  it.each(['node', 'express', 'fastify', 'nest'])('%s', async (name) => {
    await using receiver = await startReceiver(process.execPath, [join(import.meta.dirname, `${name}.ts`)])
    await receiver.judges()
    await receiver.isForPosts()
  })

  it.each<[string, (call: Request) => Promise<Response> | Response]>([
    ['hono', async (call) => (await import('./hono.js')).default.fetch(call)],
    ['next', async (call) => (await import('./next.js')).POST(call)],
    ['worker', async (call) => (await import('./worker.js')).default.fetch(call, { SAV_WEBHOOK_SECRET: secret })],
    ['lambda', overLambda],
  ])('%s', async (name, handle) => {
    process.env['SAV_WEBHOOK_SECRET'] = secret
    const post = ({ body, headers }: Delivery) =>
      handle(new Request('https://shop.example/webhooks/sav', { method: 'POST', body, headers }))
    const { signed, tampered } = await deliveries()
    expect((await post(tampered)).status).toBe(401)
    expect((await post(signed)).status).toBe(200)
    // Next itself answers a GET, and the Lambda only gets POST requests.
    if (name !== 'hono' && name !== 'worker') return
    expect((await handle(new Request('https://shop.example/webhooks/sav'))).status).toBe(405)
  })
})

async function overLambda(call: Request): Promise<Response> {
  const { handler } = await import('./lambda.js')
  const body = Buffer.from(await call.arrayBuffer()).toString('base64')
  const answer = await handler({ headers: Object.fromEntries(call.headers), body, isBase64Encoded: true })
  return new Response(answer.body, { status: answer.statusCode })
}

describe('seen events are stored', () => {
  it('in SQLite', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sav-seen-'))
    await checkSeenEvents(() => seenInSqlite(join(folder, 'shop.db')))
    await rm(folder, { recursive: true })
  })

  it('in PostgreSQL', async () => {
    await using database = await freshDatabase()
    const pool = new Pool({ connectionString: database.url })
    await pool.query('create table seen_events (id text primary key, seen_at timestamptz default now())')
    await checkSeenEvents(() => seenInPostgres(pool))
    await pool.end()
  })
})

it('each example receiver has fewer than 22 lines', () => {
  for (const name of readdirSync(import.meta.dirname).filter((file) => /^(?!.*test|receivers).*\.ts$/.test(file))) {
    expect(readFileSync(join(import.meta.dirname, name), 'utf8').split('\n').length, name).toBeLessThan(22)
  }
})
