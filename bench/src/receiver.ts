import { createServer, type ServerResponse } from 'node:http'
import { listen } from '#listen'
import { type Part, startPart } from '#processes'

/** A receiver in a separate process, which answers 200 to every POST. */
export interface Receiver extends AsyncDisposable {
  /** The receiver's URL, which ends with a slash. Every path below it works too. */
  readonly url: string
  /** How many POSTs have arrived. */
  arrivals(): Promise<number>
  /** Resolves as soon as this many POSTs have arrived in total. @throws after `patienceMs` */
  reached(arrivals: number, patienceMs: number): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const part: Part<{ port: number }> = await startPart(import.meta.url, countingServer, {})
  const url = `http://127.0.0.1:${part.value.port}/`
  return {
    url,
    arrivals: async () => Number(await (await fetch(`${url}0`)).text()),
    reached: async (arrivals, patienceMs) => {
      await fetch(`${url}${arrivals}`, { signal: AbortSignal.timeout(patienceMs) })
    },
    [Symbol.asyncDispose]: () => part[Symbol.asyncDispose](),
  }
}

/** Starts a server that answers a GET of /N, with the count, once N POSTs have arrived. */
export async function countingServer(): Promise<{ port: number }> {
  let arrivals = 0
  const waiting = new Map<number, ServerResponse[]>()
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      const wanted = Number(request.url?.slice(1))
      if (arrivals >= wanted) response.end(String(arrivals))
      else waiting.set(wanted, [...(waiting.get(wanted) ?? []), response])
      return
    }
    request.resume()
    request.on('end', () => {
      response.writeHead(200, { 'Content-Length': 2 })
      response.end('ok')
      arrivals += 1
      for (const waiter of waiting.get(arrivals) ?? []) waiter.end(String(arrivals))
    })
  })
  return listen(server)
}
