import { setTimeout as delay } from 'node:timers/promises'
import { specifiedDelivery } from '@sav/core/adapter'
import { describe, expect, it } from 'vitest'
import { migratedStore } from '../stores.js'
import { isFullCount } from './full-count.js'
import { expectQuietEnd, installation, observer, upTo } from './installation.js'
import { postgresServer } from './postgres-server.js'
import { tcpRelay } from './tcp-relay.js'
import { expectNothingLost, traffic } from './traffic.js'

const size = isFullCount
  ? { apis: 4, workers: 4, receivers: 20, events: 20_000 }
  : { apis: 2, workers: 2, receivers: 2, events: 100 }

const outcomeDropped = 'outcome dropped: the lease of its delivery had run out'

/** A second attempt must not begin within the time limit of the first one, since the lease is longer. */
const attemptSeconds = specifiedDelivery.timeoutMs / 1000

it(`with ${size.apis} API processes and ${size.workers} workers, ${size.events} events reach ${size.receivers} endpoints, and only attempts without a recorded outcome are repeated`, {
  timeout: 240_000 + size.events * size.receivers * 5,
}, async () => {
  const database = await migratedStore()
  const { shop, told, create, post, processes } = await installation(database, size)
  const { count, numbers } = await observer(database)
  let next = 0
  const startedAt = performance.now()
  const creating = async () => {
    while (next < size.events) {
      const response = await create(next++)
      expect([response.status, await response.text()]).toEqual([201, expect.stringContaining('SAV-')])
    }
  }
  await Promise.all(Array.from({ length: 16 }, creating))
  const createdMs = performance.now() - startedAt
  const waiting = () => count("deliveries where state <> 'delivered'")
  await expect.poll(waiting, { timeout: size.events * size.receivers * 5 + 60_000, interval: 200 }).toBe(0)
  const deliveredMs = performance.now() - startedAt

  expect(await numbers()).toEqual(upTo(size.events))
  expect(told.map(({ counts }) => counts.size)).toEqual(told.map(() => size.events))
  const again = told.flatMap((receiver) => receiver.again)
  expect(again.filter(({ secondsApart }) => secondsApart < attemptSeconds)).toEqual([])
  // Closes of one account run one at a time: a caller that has waited 4 s gets 503, and retries.
  const close = async (id: number): Promise<number> => {
    const { status, headers } = await post(id, `/api/v1/sav/${id}/cloturer`, { resolution: 'Charnière remplacée' })
    if (status !== 503) return status
    await delay(Number(headers.get('retry-after')) * 1000)
    return close(id)
  }
  expect(await Promise.all(upTo(50).map(close))).toEqual(upTo(50).map(() => 200))
  expect(await shop.json('evidence verify')).toEqual({ checked: 50, broken: [] })
  const ends = await Promise.all(processes.map((each) => each.kill('SIGTERM')))
  expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0))
  // On a busy machine, an answer may come too late, or a lease may expire before the outcome is recorded. Only these
  // attempts may be repeated.
  const unanswered = await count("attempts where error_code = 'timeout'")
  const leasesLost = ends.reduce((sum, { stderr }) => sum + stderr.split(outcomeDropped).length - 1, 0)
  const inDoubt = { again: again.length, unanswered, leasesLost }
  expect(inDoubt).toEqual({ ...inDoubt, again: expect.toSatisfy((times) => times <= unanswered + leasesLost) })
  if (isFullCount)
    console.info({ ...size, createdMs: Math.round(createdMs), deliveredMs: Math.round(deliveredMs), ...inDoubt })
})

interface Interruption {
  readonly what: string
  /** Interrupts the database; resolves when it is available again. */
  readonly interrupt: () => Promise<void>
  /** The address at which the service reaches its database. */
  readonly url: string
  /** The address of the database itself. */
  readonly direct: string
}

const interruptions: Readonly<Record<string, () => Promise<Interruption>>> = {
  async 'every connection is terminated'() {
    const url = await migratedStore()
    const { query } = await observer(url)
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'sav'`
    return { what: 'terminated', url, direct: url, interrupt: async () => void (await query(terminate)) }
  },
  ...(isFullCount && {
    async 'connections go silent'() {
      const direct = await migratedStore()
      const relay = await tcpRelay(new URL(direct))
      return { what: 'silent', url: relay.url.href, direct, interrupt: async () => relay.goSilent() }
    },
    async 'the server crashes and comes back'() {
      const server = await postgresServer()
      return { what: 'crashed', url: server.url.href, direct: server.url.href, interrupt: server.crash }
    },
  }),
}

const rounds = isFullCount ? 100 : 1

describe('a database that is interrupted under load', () => {
  it.each(Object.keys(interruptions))(
    `${rounds} times because %s loses nothing that was acknowledged`,
    { timeout: 240_000 + rounds * 30_000 },
    async (name) => {
      const { url, direct, interrupt } = (await interruptions[name]?.()) ?? expect.fail(name)
      const { shop, told, create, processes } = await installation(url, { apis: 2, workers: 2, receivers: 1 })
      const { acknowledged, others, servedAgain, stop } = traffic({ create, clients: 8, processes })
      let longestMs = 0
      for (const _ of upTo(rounds)) {
        await delay(300)
        await interrupt()
        longestMs = Math.max(longestMs, await servedAgain())
      }
      await stop()

      const found = await expectNothingLost({ database: direct, acknowledged, others, receiver: told[0] })
      if (isFullCount)
        console.info({
          name,
          rounds,
          acknowledged: acknowledged.length,
          found,
          longestMs: Math.round(longestMs),
          others,
        })
      if (isFullCount) expect(longestMs).toBeLessThan(10_000)
      await expectQuietEnd(processes)
      expect(await shop.json('evidence verify')).toEqual({ checked: 0, broken: [] })
    },
  )
})
