import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../../test/postgres.js'
import { local, readyWorkplace } from '../workplace.js'
import { countingReceiver } from './counting-receiver.js'
import { isFullCount } from './full-count.js'
import { postgresServer } from './postgres-server.js'
import { tcpRelay } from './tcp-relay.js'

/** As on so many machines: APIs without workers, workers, and receivers of every event, on one PostgreSQL. */
async function installation(
  database: string,
  { apis, workers, receivers }: Readonly<Record<'apis' | 'workers' | 'receivers', number>>,
) {
  const place = await readyWorkplace({ ...local, SAV_DATABASE: database, SAV_RATE_LIMIT: 'off' })
  const key = await place.newKey()
  const told = await Promise.all(Array.from({ length: receivers }, () => countingReceiver()))
  for (const { url } of told) await place.json(['webhooks', 'add', url, '--events', 'sav.created'])
  const services = Array.from({ length: apis }, () => place.serve('--no-worker'))
  const urls = await Promise.all(services.map((service) => service.url()))
  const working = Array.from({ length: workers }, () => place.start(['worker']))
  await Promise.all(working.map((worker) => worker.prints(/"delivering"/, 'stderr')))
  const post = (n: number, path: string, body: unknown) =>
    fetch(`${urls[n % urls.length]}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'x-request-timestamp': String(Math.floor(Date.now() / 1000)),
      },
      body: JSON.stringify(body),
    })
  return {
    place,
    told,
    post,
    create: (n: number) => post(n, '/api/v1/sav', { client_id: 1, description: 'Une porte de plus à régler' }),
    processes: [...services, ...working],
  }
}

/** Looks into a database beside the service. */
async function observer(url: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  client.on('error', () => {})
  onTestFinished(() => client.end())
  const count = async (table: string): Promise<number> =>
    Number((await client.query(`select count(*) from ${table}`)).rows[0].count)
  return {
    count,
    numbers: async (): Promise<number[]> =>
      (await client.query('select numero from cases order by numero')).rows.map(({ numero }) => Number(numero)),
  }
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

const size = isFullCount
  ? { apis: 4, workers: 4, receivers: 20, events: 20_000 }
  : { apis: 2, workers: 2, receivers: 3, events: 300 }

it(`${size.apis} API processes and ${size.workers} workers: ${size.events} events reach ${size.receivers} endpoints once each`, {
  timeout: 60_000 + size.events * size.receivers * 5,
}, async () => {
  await using database = await freshDatabase()
  const { place, told, create, post, processes } = await installation(database.url, size)
  const { count, numbers } = await observer(database.url)
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
  await expect.poll(waiting, { timeout: size.events * size.receivers * 5 + 30_000, interval: 200 }).toBe(0)
  const deliveredMs = performance.now() - startedAt

  expect(await numbers()).toEqual(upTo(size.events))
  for (const { counts } of told) {
    expect(counts.size).toBe(size.events)
    expect([...counts.values()].filter((times) => times !== 1)).toEqual([])
  }
  const closed = await Promise.all(
    upTo(50).map((id) => post(id, `/api/v1/sav/${id}/cloturer`, { resolution: 'Charnière remplacée' })),
  )
  expect(closed.map(({ status }) => status)).toEqual(closed.map(() => 200))
  expect(await place.json(['evidence', 'verify'])).toEqual({ checked: 50, broken: [] })
  for (const each of processes) expect(await each.kill('SIGTERM')).toMatchObject({ code: 0 })
  if (isFullCount) console.info({ ...size, createdMs: Math.round(createdMs), deliveredMs: Math.round(deliveredMs) })
})

interface Interruption {
  readonly what: string
  /** Resolves when the database can be had again. */
  readonly interrupt: () => Promise<void>
  /** Where the service finds its database. */
  readonly url: string
  /** The database itself. */
  readonly direct: string
}

const interruptions: Readonly<Record<string, () => Promise<Interruption>>> = {
  async 'every connection is terminated'() {
    const database = await freshDatabase()
    onTestFinished(() => database[Symbol.asyncDispose]())
    const client = new Client({ connectionString: database.url, application_name: 'chaos' })
    await client.connect()
    onTestFinished(() => client.end())
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'sav'`
    return {
      what: 'terminated',
      url: database.url,
      direct: database.url,
      interrupt: async () => void (await client.query(terminate)),
    }
  },
  async 'connections go silent'() {
    const database = await freshDatabase()
    onTestFinished(() => database[Symbol.asyncDispose]())
    const relay = await tcpRelay(new URL(database.url))
    return {
      what: 'silent',
      url: relay.url.href,
      direct: database.url,
      interrupt: async () => relay.goSilent(),
    }
  },
  async 'the server crashes and comes back'() {
    const server = await postgresServer()
    return { what: 'crashed', url: server.url.href, direct: server.url.href, interrupt: server.crash }
  },
}

const rounds = isFullCount ? 100 : 1

describe('a database that is interrupted under load', () => {
  it.each(Object.keys(interruptions))(
    `because %s, ${rounds} times: nothing acknowledged is lost`,
    {
      timeout: 120_000 + rounds * 30_000,
    },
    async (name) => {
      const { url, direct, interrupt } = (await interruptions[name]?.()) ?? expect.fail(name)
      const { place, told, create, processes } = await installation(url, { apis: 2, workers: 2, receivers: 1 })
      const acknowledged: string[] = []
      const others = new Map<string, number>()
      let loading = true
      const load = async (n: number) => {
        while (loading) {
          const response = await create(n)
          const body: { data: { reference: string } } = JSON.parse(await response.text())
          if (response.status === 201) {
            acknowledged.push(body.data.reference)
          } else {
            const seen = `${response.status} Retry-After: ${Number(response.headers.get('retry-after')) > 0}`
            others.set(seen, (others.get(seen) ?? 0) + 1)
            await delay(50)
          }
        }
      }
      const loads = Promise.all(upTo(8).map(load))
      const failed = loads.then(() => expect.fail('the load ended too soon'))
      failed.catch(() => {})

      let longestMs = 0
      for (const _ of upTo(rounds)) {
        await delay(300)
        await interrupt()
        const backAt = performance.now()
        // Every process answers again: two rounds of all loops.
        const before = acknowledged.length
        const answering = expect.poll(() => acknowledged.length, { timeout: 20_000, interval: 20 })
        await Promise.race([failed, answering.toBeGreaterThan(before + 16)])
        longestMs = Math.max(longestMs, performance.now() - backAt)
      }
      loading = false
      await loads

      const { count, numbers } = await observer(direct)
      await expect
        .poll(() => count("deliveries where state <> 'delivered'"), { timeout: 60_000, interval: 200 })
        .toBe(0)
      const found = await numbers()
      const held = new Set(found.map((numero) => `SAV-${new Date().getFullYear()}-${String(numero).padStart(5, '0')}`))
      if (isFullCount)
        console.info({
          name,
          rounds,
          acknowledged: acknowledged.length,
          found: found.length,
          longestMs: Math.round(longestMs),
          others,
        })
      expect(acknowledged.filter((reference) => !held.has(reference))).toEqual([])
      expect(found).toEqual(upTo(found.length))
      expect(await count('events')).toBe(found.length)
      expect(told[0]?.counts.size).toBe(found.length)
      expect([...others.keys()].filter((seen) => seen !== '503 Retry-After: true')).toEqual([])
      expect(longestMs).toBeLessThan(10_000)
      for (const each of processes) {
        const { code, stderr } = await each.kill('SIGTERM')
        expect(code).toBe(0)
        expect(stderr).not.toMatch(/unhandled|uncaught|A fault of sav itself/i)
      }
      expect(await place.json(['evidence', 'verify'])).toEqual({ checked: 0, broken: [] })
    },
  )
})
