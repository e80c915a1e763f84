import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { ownTime } from '../../../../test/own-time.js'
import { observer, upTo } from './installation.js'

interface Load {
  readonly create: (n: number) => Promise<Response>
  readonly clients: number
  /** The processes of the service. */
  readonly processes: readonly { readonly process: { readonly pid?: number | undefined } }[]
}

/** Clients that create one case after another until they are stopped. */
export function traffic({ create, clients, processes }: Load) {
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
  const loads = Promise.all(upTo(clients).map(load))
  const failed = loads.then(() => expect.fail('the load ended too soon'))
  failed.catch(() => {})
  onTestFinished(() => {
    loading = false
  })
  return {
    /** References of the cases whose creation was answered with 201. */
    acknowledged,
    /** The counts of all other answers. */
    others,
    /** Waits until every client is served again. Resolves to how long that takes on an otherwise idle machine. */
    async servedAgain(): Promise<number> {
      const took = ownTime(...processes.map(({ process }) => process.pid))
      const before = acknowledged.length
      const answering = expect.poll(() => acknowledged.length, { interval: 20 })
      await Promise.race([failed, answering.toBeGreaterThan(before + 2 * clients)])
      return took()
    },
    async stop(): Promise<void> {
      loading = false
      await loads
    },
  }
}

interface Outcome {
  /** The URL of the database to check. */
  readonly database: string
  readonly acknowledged: readonly string[]
  readonly others: ReadonlyMap<string, number>
  readonly receiver: { readonly counts: ReadonlyMap<string, number> } | undefined
}

/**
 * Waits until everything due is delivered. Expects that each acknowledged case exists, no number is missing, each event
 * has reached the receiver, and all other answers were 503. Resolves to the number of cases.
 */
export async function expectNothingLost({ database, acknowledged, others, receiver }: Outcome): Promise<number> {
  const { count, references, numbers } = await observer(database)
  const waiting = () => count("deliveries where state <> 'delivered'")
  await expect.poll(waiting, { interval: 200 }).toBe(0)
  const found = await numbers()
  const held = new Set(await references())
  // If a case were lost, its reference would be given to another one.
  expect(new Set(acknowledged).size).toBe(acknowledged.length)
  expect(acknowledged.filter((reference) => !held.has(reference))).toEqual([])
  expect(found).toEqual(upTo(found.length))
  expect(await count("events where event = 'sav.created'")).toBe(found.length)
  expect(receiver?.counts.size).toBe(found.length)
  expect([...others.keys()].filter((seen) => seen !== '503 Retry-After: true')).toEqual([])
  return found.length
}
