import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { call } from '../workplace.js'
import { isFullCount } from './full-count.js'
import { expectQuietEnd, installation, observer, upTo } from './installation.js'
import { hasReplication, replicatedPostgres } from './replicated-postgres.js'
import { tcpRelay } from './tcp-relay.js'
import { expectNothingLost, traffic } from './traffic.js'

const rounds = 5

it.runIf(isFullCount && hasReplication)(
  `nothing acknowledged is lost when the primary dies under load and its standby is promoted, ${rounds} times`,
  async () => {
    const pair = await replicatedPostgres()
    const address = await tcpRelay(pair.url())
    const { shop, told, post, create, processes } = await installation(address.url.href, {
      apis: 2,
      workers: 2,
      receivers: 1,
    })
    const closed: number[] = []
    const createAndClose = async (n: number) => {
      const response = await create(n)
      const { data }: { data?: { id: number } } = JSON.parse(await response.clone().text())
      if (data !== undefined && data.id % 20 === 0) {
        const { status } = await post(n, `/api/v1/sav/${data.id}/cloturer`, { resolution: 'Charnière remplacée' })
        if (status === 200) closed.push(data.id)
      }
      return response
    }
    const { acknowledged, others, servedAgain, stop } = traffic({ create: createAndClose, clients: 4, processes })
    await servedAgain()

    const backMs: number[] = []
    for (const _ of upTo(rounds)) {
      await delay(2000)
      await pair.killPrimary()
      const refused = others.get('503 Retry-After: true') ?? 0
      await expect.poll(() => others.get('503 Retry-After: true') ?? 0).toBeGreaterThan(refused + 4)
      await pair.promote()
      address.pointAt(pair.url())
      backMs.push(Math.round(await servedAgain()))
      await pair.addStandby()
      await servedAgain()
    }
    await stop()

    const database = pair.url().href
    const found = await expectNothingLost({ database, acknowledged, others, receiver: told[0] })
    const times = [...(told[0]?.counts.values() ?? [])]
    const repeated = times.filter((count) => count > 1)
    console.info({ rounds, acknowledged: acknowledged.length, found, backMs, others, repeated, closed: closed.length })
    expect(Math.max(...backMs)).toBeLessThan(10_000)
    // A round can repeat only the attempts that were in progress: at most 16 in each of two workers.
    expect(repeated.length).toBeLessThanOrEqual(rounds * 2 * 16)
    const { count, query } = await observer(database)
    const { rows } = await query("select id from cases where statut = 'clos'")
    expect(closed.filter((id) => !rows.some((row) => Number(row.id) === id))).toEqual([])
    expect(await shop.json('evidence verify')).toEqual({ checked: await count('evidence_entries'), broken: [] })
    await expectQuietEnd(processes)
  },
)

it.runIf(isFullCount && hasReplication)(
  'no write is acknowledged while the standby is away; none is lost, and writes continue when it is back',
  async () => {
    const pair = await replicatedPostgres()
    const database = pair.url().href
    const { told, create, key, urls, processes } = await installation(database, { apis: 2, workers: 1, receivers: 1 })
    const { acknowledged, others, servedAgain, stop } = traffic({ create, clients: 4, processes })
    await servedAgain()
    await pair.stopStandby()
    await delay(100)
    const before = acknowledged.length
    for (let n = 0; n < 30; n += 1) {
      await delay(1000)
      expect(await call(urls[n % 2] ?? '', key, 'GET', '/api/v1/sav')).toMatchObject({ status: 200 })
    }
    expect(acknowledged.length).toBe(before)
    await pair.startStandby()
    const backMs = await servedAgain()
    await stop()
    const found = await expectNothingLost({ database, acknowledged, others, receiver: told[0] })
    console.info({ acknowledged: acknowledged.length, found, backMs: Math.round(backMs), others })
    await expectQuietEnd(processes)
  },
)
