import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { local, readyWorkplace } from '../workplace.js'
import { committer, countOf } from './committer.js'
import { isFullCount } from './full-count.js'

const rounds = isFullCount ? 300 : 5
const env = { ...local, SAV_WEBHOOK_TIMEOUT: '2s' }
const leaseMs = 12_000

/** Counts how often each event arrives, and answers 200 within a few milliseconds. */
async function countingReceiver() {
  const counts = new Map<string, number>()
  const arrivals: string[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const id: string = JSON.parse(text).data.event_id
    counts.set(id, (counts.get(id) ?? 0) + 1)
    arrivals.push(id)
    setTimeout(() => response.end(), Math.random() * 10)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`,
    counts,
    /** What has arrived since the last call. */
    takeArrivals: () => arrivals.splice(0),
  }
}

it(`a worker killed ${rounds} times while events are committed loses none, and repeats only what it had under way`, {
  timeout: rounds * 5000 + 60_000,
}, async () => {
  const place = await readyWorkplace()
  const { sav, storage, commit } = await committer(place)
  const receiver = await countingReceiver()
  await sav.webhooks.add('default', { url: receiver.url, events: ['sav.created'] })

  let committing = true
  const committed = (async () => {
    for (; committing; await delay(2)) await commit()
  })()

  let underWay = 0
  let killedAt = 0
  for (let round = 0; round < rounds; round += 1) {
    const worker = place.start(['worker'], env)
    await worker.prints(/"delivering"/, 'stderr')
    await delay(Math.random() * 300)
    await worker.kill('SIGKILL')
    killedAt = performance.now()
    // What the kernel still holds of the killed process's requests arrives now, or never.
    await delay(30)
    const arrived = new Set(receiver.takeArrivals())
    const recorded = await storage.db
      .selectFrom('deliveries')
      .select('event_id')
      .where('state', '=', 'delivered')
      .where('event_id', 'in', [...arrived])
      .execute()
    underWay += arrived.size - recorded.length
  }
  committing = false
  await committed

  const worker = place.start(['worker'], env)
  const total = (await storage.db.selectFrom('events').select('id').execute()).map(({ id }) => id)
  await expect
    .poll(() => countOf(storage, 'delivered'), { timeout: leaseMs + 30_000, interval: 100 })
    .toBe(total.length)
  const resumedMs = performance.now() - killedAt
  await worker.kill('SIGTERM')

  const arrivals = [...receiver.counts.values()].reduce((sum, count) => sum + count, 0)
  const repeated = arrivals - receiver.counts.size
  if (isFullCount) console.info({ rounds, events: total.length, repeated, underWay, resumedMs: Math.round(resumedMs) })
  expect(total.filter((id) => !receiver.counts.has(id))).toEqual([])
  expect(total.length).toBeGreaterThan(rounds)
  expect(repeated).toBeLessThanOrEqual(underWay)
  // The lease, and what a start and the backlog take on a busy machine.
  expect(resumedMs).toBeLessThan(leaseMs + 5000)
})
