import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { onLoopback } from '../on-loopback.js'

interface RepeatedAttempt {
  readonly event_id: string
  /** The time from the start of the previous attempt to the start of this one, by the sender's clock. */
  readonly secondsApart: number
}

/** Counts how often each event arrives, and answers 200 within a few milliseconds. */
export async function countingReceiver() {
  const counts = new Map<string, number>()
  const cases = new Set<number>()
  const arrivals: string[] = []
  const begun = new Map<string, number>()
  const again: RepeatedAttempt[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { event_id, id }: { event_id: string; id: number } = JSON.parse(text).data
    counts.set(event_id, (counts.get(event_id) ?? 0) + 1)
    const [at, before] = [Number(request.headers['webhook-timestamp']), begun.get(event_id)]
    begun.set(event_id, at)
    if (before !== undefined) again.push({ event_id, secondsApart: Math.abs(at - before) })
    cases.add(id)
    arrivals.push(event_id)
    setTimeout(() => response.end(), Math.random() * 10)
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const origin = await onLoopback(server)
  return {
    url: `${origin}/`,
    counts,
    /** Attempts of events that had arrived before. */
    again,
    /** The ids of the cases in the received deliveries. */
    cases,
    /** Resolves when every connection of a killed process has been read to its end. */
    async disconnected() {
      while (sockets.size > 0) await Promise.all([...sockets].map((socket) => once(socket, 'close')))
    },
    /** The events that have arrived since the last call. */
    takeArrivals: () => new Set(arrivals.splice(0)),
  }
}
