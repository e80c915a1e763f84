import { Client } from 'pg'
import { expect, onTestFinished } from 'vitest'
import { local, readyWorkplace, type Workplace } from '../workplace.js'
import { countingReceiver } from './counting-receiver.js'

interface InstallationOptions {
  readonly apis: number
  readonly workers: number
  readonly receivers: number
  /** The settings of every process. */
  readonly settings?: Readonly<Record<string, string>>
}

/** API processes without workers, workers, and receivers of `sav.created`, all on one PostgreSQL. */
export async function installation(database: string, { apis, workers, receivers, settings = {} }: InstallationOptions) {
  const shop = await readyWorkplace({ ...local, SAV_DATABASE: database, SAV_RATE_LIMIT: 'off', ...settings })
  const key = await shop.newKey()
  const told = await Promise.all(Array.from({ length: receivers }, () => countingReceiver()))
  for (const { url } of told) await shop.json(['webhooks', 'add', url, '--events', 'sav.created'])
  const services = Array.from({ length: apis }, () => shop.serve('--no-worker'))
  const urls = await Promise.all(services.map((service) => service.url()))
  const working = Array.from({ length: workers }, () => shop.start('worker'))
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
    shop,
    key,
    urls,
    told,
    post,
    create: (n: number) => post(n, '/api/v1/sav', { client_id: 1, description: 'Une porte de plus à régler' }),
    services,
    processes: [...services, ...working],
  }
}

/** A connection of the test's own to a database. */
export async function observer(url: string) {
  const client = new Client({ connectionString: url })
  // Some tests stop the server of this connection.
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  const count = async (table: string): Promise<number> =>
    Number((await client.query(`select count(*) from ${table}`)).rows[0].count)
  return {
    query: (sql: string) => client.query(sql),
    count,
    references: async (): Promise<string[]> =>
      (await client.query('select annee, numero from cases')).rows.map(
        ({ annee, numero }) => `SAV-${annee}-${String(numero).padStart(5, '0')}`,
      ),
    numbers: async (): Promise<number[]> =>
      (await client.query('select numero from cases order by numero')).rows.map(({ numero }) => Number(numero)),
  }
}

export const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

/** Stops processes as a process manager does, and expects that none had an unforeseen fault. */
export async function expectQuietEnd(processes: readonly ReturnType<Workplace['start']>[]): Promise<void> {
  for (const each of processes) {
    const { code, stderr } = await each.kill('SIGTERM')
    expect(code).toBe(0)
    expect(stderr).not.toMatch(/unhandled|uncaught|A fault of sav itself/i)
  }
}
