import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Gets every event, and keeps it. */
export interface Receiver {
  readonly name: string
  readonly url: string
  /** How often each event arrived, by id. */
  readonly counts: ReadonlyMap<string, number>
  /** Ids of the cases of each kind of event. */
  readonly cases: (kind: string) => ReadonlySet<number>
  /** From now on it answers correctly. */
  recover(): void
  close(): Promise<void>
}

type Answer = (response: ServerResponse) => void | Promise<void>

const good: Answer = (response) => void response.end()

/** Of ten calls, three are refused, and one is never answered in time. */
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
    // A call that was refused, or given up by the sender, does not count.
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
