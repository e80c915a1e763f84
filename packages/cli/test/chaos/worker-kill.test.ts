import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ownTime } from '../../../../test/own-time.js'
import { stores } from '../stores.js'
import { local, readyWorkplace } from '../workplace.js'
import { committer, countOf, endLeases } from './committer.js'
import { countingReceiver } from './counting-receiver.js'
import { isFullCount } from './full-count.js'
import { undelivered } from './undelivered.js'

const rounds = isFullCount ? 300 : 2
const env = { ...local, SAV_WEBHOOK_TIMEOUT: '2s' }
const leaseMs = 12_000
/** A longer backlog would take the last worker more time than the leases, which this test measures. */
const maxBacklog = 1500

describe.each(stores)('on %s', (_, settings) => {
  it(`a worker killed ${rounds} times during commits of events loses none, and repeats only deliveries in progress`, {
    timeout: rounds * 5000 + 120_000,
  }, async () => {
    const shop = await readyWorkplace(await settings())
    const { sav, actor, storage, commit } = await committer(shop)
    const receiver = await countingReceiver()
    await sav.webhooks.endpoints.add(actor, { url: receiver.url, events: ['sav.created'] })

    let committing = true
    const committed = (async () => {
      for (let events = 0; committing; await delay(2)) {
        if (events - receiver.counts.size >= maxBacklog) continue
        await commit()
        events += 1
      }
    })()

    let underWay = 0
    for (let round = 0; round < rounds; round += 1) {
      const worker = shop.start('worker', env)
      await worker.prints(/"delivering"/, 'stderr')
      await delay(Math.random() * 300)
      await worker.kill('SIGKILL')
      // Requests that the killed process left in the kernel's buffers arrive now, or never.
      await delay(30)
      await receiver.disconnected()
      underWay += (await undelivered(storage, receiver.takeArrivals())).length
    }
    committing = false
    await committed

    if (!isFullCount) await endLeases(storage)
    const worker = shop.start('worker', env)
    const took = ownTime(worker.process.pid)
    const total = (await storage.db.selectFrom('events').select('id').execute()).map(({ id }) => id)
    await expect.poll(() => countOf(storage, 'delivered'), { interval: 100 }).toBe(total.length)
    const resumedMs = took()
    await worker.kill('SIGTERM')

    const arrivals = [...receiver.counts.values()].reduce((sum, count) => sum + count, 0)
    const repeated = arrivals - receiver.counts.size
    if (isFullCount)
      console.info({ rounds, events: total.length, repeated, underWay, resumedMs: Math.round(resumedMs) })
    expect(total.filter((id) => !receiver.counts.has(id))).toEqual([])
    expect(total.length).toBeGreaterThan(rounds)
    expect(repeated).toBeLessThanOrEqual(underWay)
    // The limit is the lease, plus 5 s for a start and the backlog.
    if (isFullCount) expect(resumedMs).toBeLessThan(leaseMs + 5000)
  })
})
