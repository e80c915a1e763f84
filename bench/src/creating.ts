import { type LoadResult, load } from '#load'
import type { Shop } from '#shop'

const roundMs = 1200

export interface Creating {
  readonly port: number
  /** Default 64. */
  readonly connections?: number
  /** They take turns. */
  readonly callers: readonly Shop[]
  readonly say: (message: string) => void
}

/** Creations; every other one may be repeated, for it names an Idempotency-Key of its own. */
export async function creating({ port, connections = 64, callers, say }: Creating): Promise<LoadResult> {
  const requests = callers.flatMap(({ key, client_id }) => {
    const request = {
      headers: {
        Authorization: `Bearer ${key}`,
        'X-Request-Timestamp': String(Math.floor(Date.now() / 1000)),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        client_id,
        description: 'La porte du meuble haut frotte contre la corniche depuis la pose.',
        type_probleme: 'reglage',
        priorite: 'haute',
      }),
    }
    return [request, { ...request, unique: 'Idempotency-Key' }]
  })
  const creation = { method: 'POST', path: '/api/v1/sav', requests, status: 201 } as const
  const result = await load({ ...creation, port, connections, durationMs: roundMs })
  if (result.busy > 0.95) say(`the loader itself was busy for ${Math.round(result.busy * 100)} % of a core`)
  return result
}
