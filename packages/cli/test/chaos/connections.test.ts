import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ownTime } from '../../../../test/own-time.js'
import { migratedStore } from '../stores.js'
import { isFullCount } from './full-count.js'
import { expectQuietEnd, installation, observer, upTo } from './installation.js'
import { postgresServer } from './postgres-server.js'
import { expectNothingLost, traffic } from './traffic.js'

/** A server with the given number of connections for the service, and a few more for the test itself. */
async function serverWith(connections: number) {
  const reserved = 3
  const server = await postgresServer({
    settings: { max_connections: String(connections + reserved), superuser_reserved_connections: String(reserved) },
  })
  const direct = server.url.href
  const { query, count } = await observer(direct)
  await query(`create role service login password 'password'`)
  await query('alter database sav owner to service')
  const url = new URL(direct)
  url.username = 'service'
  return { url: url.href, direct, query, count }
}

const refused = '503 Retry-After: true'

it.runIf(isFullCount)(
  'if the database has too few connections, calls succeed or get 503, and all succeed once connections are free',
  async () => {
    const { url, direct, query } = await serverWith(12)
    const { told, create, urls, services, processes } = await installation(url, { apis: 2, workers: 1, receivers: 1 })
    const { acknowledged, others, servedAgain, stop } = traffic({ create, clients: 16, processes })
    await servedAgain()
    await expect.poll(() => others.get(refused)).toBeGreaterThan(0)

    // From now on the service gets no connection at all.
    await query('alter role service connection limit 0')
    await query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'service'`)
    const readiness = async () => Promise.all(urls.map(async (each) => (await fetch(`${each}/readyz`)).status))
    await expect.poll(readiness).toEqual([503, 503])
    const before = acknowledged.length
    await delay(10_000)
    expect(acknowledged.length).toBe(before)
    await query('alter role service connection limit -1')
    const backMs = await servedAgain()
    await expect.poll(readiness).toEqual([200, 200])
    await stop()
    // The API processes end first: the worker may need connections that they keep idle for ten seconds.
    await expectQuietEnd(services)

    const found = await expectNothingLost({ database: direct, acknowledged, others, receiver: told[0] })
    console.info({ acknowledged: acknowledged.length, found, others, backMs: Math.round(backMs) })
    expect(backMs).toBeLessThan(5000)
    for (const { stderr } of processes) expect(stderr).toContain('The database has too many connections.')
    await expectQuietEnd(processes.filter((each) => !services.includes(each)))
  },
)

it.each(isFullCount ? [1000, 12_000] : [1000])(
  'calls that find every connection taken for %i ms wait for one, or get 503 with Retry-After',
  async (ms) => {
    const url = await migratedStore()
    const { query, count } = await observer(url)
    const { create, processes } = await installation(url, { apis: 1, workers: 0, receivers: 0 })
    await query('begin')
    await query('lock table cases in access exclusive mode')
    const took = ownTime(...processes.map(({ process }) => process.pid))
    const answers = upTo(40).map(async (n) => {
      const { status, headers } = await create(n)
      return { status, again: Number(headers.get('retry-after')), ms: took() }
    })
    await delay(ms)
    await query('commit')
    const [waited, ended] = [await Promise.all(answers), took()]
    expect(ended).toBeLessThan(ms + 15_000)
    const others = waited.filter(({ status }) => status !== 201)
    expect(others.length > 0).toBe(ms > 10_000)
    expect(others.filter((each) => each.status !== 503 || !(each.again > 0) || each.ms > 15_000)).toEqual([])
    expect(await count('cases')).toBe(waited.length - others.length)
    expect((await create(0)).status).toBe(201)
    await expectQuietEnd(processes)
  },
)
