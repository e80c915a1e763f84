import type { Terrain } from '../api.js'
import { type Day, merged, unchanged } from '../sync/day.js'
import { type Clock, call, type Line } from './calls.js'

/** The answer to a call for the day. */
export interface AskedDay {
  readonly status: number
  /** Merges the answer with the data that is on the phone by then. Null: the answer changes nothing. */
  readonly become: ((before: Day | null, held: ReadonlySet<number>) => Day | null) | null
}

/** Asks for the day. Rejects if no answer comes in time. @param asked the day that is on the phone now */
export async function askForDay(line: Line, clock: Clock, asked: Day | null): Promise<AskedDay> {
  const headers: Record<string, string> = asked === null || asked.tag === null ? {} : { 'If-None-Match': asked.tag }
  const response = await call(line, clock, '/api/v1/terrain', { headers })
  const { status } = response
  if (status === 304) return { status, become: (before, held) => before && unchanged(before, held) }
  if (!response.ok) return { status, become: null }
  const { data } = (await response.json()) as { readonly data: Terrain }
  const tag = response.headers.get('etag')
  return { status, become: (before, held) => merged(before, data, tag, held, asked) }
}
