import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { call, local, readyWorkplace } from '../workplace.js'
import { committer, countOf, endLeases } from './committer.js'
import { countingReceiver } from './counting-receiver.js'
import { isFullCount, storesFor } from './full-count.js'
import { undelivered } from './undelivered.js'
import { refuseHalfCommits } from './whole-commits.js'

const rounds = isFullCount ? 100 : 2
const clientsAtOnce = 8
const env = { ...local, SAV_RATE_LIMIT: 'off', SAV_WEBHOOK_TIMEOUT: '2s', SAV_LOG_LEVEL: 'warn' }

describe.each(storesFor('PostgreSQL'))('on %s', (_, settings) => {
  it(`a service killed ${rounds} times during creates keeps each case that it acknowledged, and delivers its event`, {
    timeout: rounds * 10_000 + 120_000,
  }, async () => {
    const shop = await readyWorkplace(await settings())
    await refuseHalfCommits(shop)
    const key = await shop.newKey()
    const { sav, actor, storage } = await committer(shop)
    const receiver = await countingReceiver()
    await sav.webhooks.endpoints.add(actor, { url: receiver.url, events: ['sav.created'] })
    /** The reference of every case that was answered with 201, by its id. */
    const acknowledged = new Map<number, string>()
    const refusals: unknown[] = []
    /** How often each event may arrive: once, plus once for each kill between sending and recording it. */
    const allowed = new Map<string, number>()

    for (let round = 0; round < rounds; round += 1) {
      const service = shop.start('serve --port 0', env)
      const url = await service.url()
      const begun = Promise.withResolvers<void>()
      const create = async () => {
        for (;;) {
          const body = { client_id: 1, description: `Round ${round} of the killing` }
          const answer = await call(url, key, 'POST', '/api/v1/sav', body).catch(() => null)
          begun.resolve()
          if (answer === null) return
          if (answer.status === 503) continue
          if (answer.status !== 201) return refusals.push(answer)
          acknowledged.set(answer.body.data.id, answer.body.data.reference)
        }
      }
      const creating = Array.from({ length: clientsAtOnce }, create)
      // In every other round, the kill may come before the first answer.
      if (round % 2 === 0) await begun.promise
      await delay(20 + Math.random() * 300)
      await service.kill('SIGKILL')
      await Promise.all(creating)
      expect(refusals).toEqual([])
      // Requests that the killed process left in the kernel's buffers arrive now, or never.
      await delay(30)
      await receiver.disconnected()
      for (const id of await undelivered(storage, receiver.takeArrivals())) allowed.set(id, (allowed.get(id) ?? 1) + 1)
    }

    if (!isFullCount) await endLeases(storage)
    const service = shop.start('serve --port 0', env)
    const total = (await storage.db.selectFrom('events').select('id').execute()).length
    await expect.poll(() => countOf(storage, 'delivered'), { interval: 100 }).toBe(total)
    await service.kill('SIGTERM')

    const cases = await storage.db.selectFrom('cases').select(['id', 'annee', 'numero']).orderBy('id').execute()
    const stored = new Map(
      cases.map(({ id, annee, numero }) => [id, `SAV-${annee}-${String(numero).padStart(5, '0')}`]),
    )
    const repeated = [...receiver.counts.values()].reduce((sum, count) => sum + count - 1, 0)
    if (isFullCount) console.info({ rounds, acknowledged: acknowledged.size, cases: cases.length, repeated })
    expect(acknowledged.size).toBeGreaterThanOrEqual(rounds / 2)
    expect([...acknowledged].filter(([id, reference]) => stored.get(id) !== reference)).toEqual([])
    expect(cases.map(({ numero }) => numero)).toEqual(cases.map((_, index) => index + 1))
    // Each case has its event, each event its delivery, and there are no others.
    expect([...receiver.cases].sort((a, b) => a - b)).toEqual(cases.map(({ id }) => id))
    expect(total).toBe(cases.length)
    expect([...receiver.counts].filter(([id, count]) => count > (allowed.get(id) ?? 1))).toEqual([])
  })
})
