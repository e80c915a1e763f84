import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { StoreStorage } from '../../../command/src/store/database.js'
import { stores } from '../stores.js'
import { local, readyWorkplace } from '../workplace.js'
import { committer } from './committer.js'
import { isFullCount } from './full-count.js'

const total = 8
const quarter = total / 4
const hanging = 6
const env = { ...local, SAV_WEBHOOK_TIMEOUT: '1s', SAV_WEBHOOK_CONCURRENCY: `${total},${total}` }

/**
 * Hangs but below `/healthy`. There it holds its answers until as many requests wait for theirs as `stages` say, one stage
 * after the other; then it answers at once.
 */
async function mixedReceiver(stages: readonly number[]) {
  const held: ServerResponse[] = []
  const left = [...stages]
  const server = createServer((request, response) => {
    request.resume()
    if (!request.url?.startsWith('/healthy')) return
    held.push(response)
    if (held.length < (left[0] ?? 1)) return
    for (const waiting of held.splice(0)) waiting.end()
    left.shift()
    if (left.length === 0) server.emit('all stages')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const allStages = once(server, 'all stages')
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, allStages }
}

/** From when to when each attempt was under way that never got an answer, in milliseconds. */
async function unanswered({ db }: StoreStorage): Promise<{ readonly from: number; readonly to: number }[]> {
  const rows = await db
    .selectFrom('attempts')
    .select(['started_at', 'duration_ms'])
    .where('status', 'is', null)
    .execute()
  return rows
    .map(({ started_at, duration_ms }) => ({ from: Date.parse(started_at), to: Date.parse(started_at) + duration_ms }))
    .toSorted((a, b) => a.from - b.from)
}

describe.runIf(isFullCount).each(stores)('on %s', (_, settings) => {
  it('receivers that did not answer the last time share a quarter of the places, and those that answer have the others', async () => {
    const shop = await readyWorkplace(await settings())
    const { sav, actor, storage, commit } = await committer(shop)
    const receiver = await mixedReceiver([1, 2, total - quarter])
    for (const path of ['healthy', ...Array.from({ length: hanging }, (_, n) => `hanging/${n}`)])
      await sav.webhooks.endpoints.add(actor, { url: `${receiver.url}/${path}`, events: ['sav.created'] })
    const worker = shop.start(['worker'], env)
    await commit()
    // Nobody knows of them yet, so each gets a place.
    await expect.poll(async () => (await unanswered(storage)).length).toBe(hanging)

    for (let n = 0; n < 30; n += 1) await commit()
    await receiver.allStages
    await expect.poll(async () => (await unanswered(storage)).length).toBeGreaterThanOrEqual(hanging + 2 * quarter)
    await worker.kill('SIGTERM')
    const suspected = (await unanswered(storage)).slice(hanging)
    // Durations are rounded.
    const atOnce = suspected.map(({ from }) => suspected.filter((other) => other.from <= from && other.to - 1 > from))
    expect(Math.max(...atOnce.map(({ length }) => length))).toBe(quarter)
  })
})
