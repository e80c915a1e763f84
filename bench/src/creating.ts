import { type LoadResult, load } from '#load'
import { creations, type Shop } from '#shop'

const roundMs = 1200

/** The number of different requests of all callers together. */
const differentRequests = 512

export interface CreateLoad {
  readonly port: number
  /** Default: 64. */
  readonly connections?: number
  /** The shops whose keys make the calls, in turn. */
  readonly callers: readonly Shop[]
  /** Default: 1200. */
  readonly durationMs?: number
  readonly say: (message: string) => void
}

/** Creates cases. Every second creation has its own Idempotency-Key. */
export async function creating({
  port,
  connections = 64,
  callers,
  durationMs = roundMs,
  say,
}: CreateLoad): Promise<LoadResult> {
  const requests = creations(differentRequests).map((input, n) => {
    const { key, clients } = callers[n % callers.length] ?? { key: '', clients: [] }
    return {
      headers: {
        Authorization: `Bearer ${key}`,
        'X-Request-Timestamp': String(Math.floor(Date.now() / 1000)),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ client_id: clients[n % clients.length], ...input }),
      // Every second request of each caller has an Idempotency-Key.
      ...(Math.floor(n / callers.length) % 2 === 1 && { unique: 'Idempotency-Key' }),
    }
  })
  const creation = { method: 'POST', path: '/api/v1/sav', requests, status: 201 } as const
  const result = await load({ ...creation, port, connections, durationMs })
  if (result.busy > 0.95) say(`the load generator used ${Math.round(result.busy * 100)} % of a core`)
  return result
}
