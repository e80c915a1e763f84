import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** A webhook receiver that counts the events that it got. */
export interface Receiver {
  readonly name: string
  readonly url: string
  /** How often each event arrived, by id. */
  readonly counts: ReadonlyMap<string, number>
  /** The ids of the cases whose events of this kind arrived. */
  readonly cases: (kind: string) => ReadonlySet<number>
  /** From now on the receiver answers every call with 200. */
  recover(): void
  close(): Promise<void>
}

type Answer = (response: ServerResponse) => void | Promise<void>

const good: Answer = (response) => void response.end()

/** Refuses three of ten calls, and answers another one too late. */
const flaky: Answer = async (response) => {
  const chance = Math.random()
  if (chance < 0.1) await delay(10_000)
  response.writeHead(chance < 0.4 ? 503 : 200).end()
}

const slow: Answer = async (response) => {
  await delay(300)
  response.end()
}

export const receivers = (): Promise<readonly Receiver[]> =>
  Promise.all([receiver('good', good), receiver('flaky', flaky), receiver('slow', slow)])

async function receiver(name: string, answer: Answer): Promise<Receiver> {
  const counts = new Map<string, number>()
  const byKind = new Map<string, Set<number>>()
  let answers = answer
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    await answers(response)
    // A call that was refused, or that the sender gave up on, does not count.
    if (response.statusCode !== 200 || response.socket?.destroyed !== false) return
    const { event, data } = JSON.parse(text) as { event: string; data: { event_id: string; id: number } }
    counts.set(data.event_id, (counts.get(data.event_id) ?? 0) + 1)
    byKind.set(event, (byKind.get(event) ?? new Set()).add(data.id))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    name,
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`,
    counts,
    cases: (kind) => byKind.get(kind) ?? new Set(),
    recover() {
      answers = good
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
