import { type Delay, type Row, rate } from '#bench'
import type { LoadResult } from '#load'

interface Sides {
  readonly subject: (connections: number) => Promise<LoadResult>
  readonly baseline: (connections: number) => Promise<LoadResult>
  /** The delays of the measured process's event loop since the last call. */
  readonly delay: () => Promise<Delay>
}

/**
 * Makes a row for each number of connections, with the time of a request to the measured process; for information,
 * without goals.
 */
export async function byConnections(bench: string, { subject, baseline, delay }: Sides): Promise<Row[]> {
  const rows: Row[] = []
  for (const connections of [1, 16, 64, 256]) {
    await delay()
    const { perSecond: figure, latency } = await subject(connections)
    const held = await delay()
    const bare = await baseline(connections)
    const row = rate(`${bench}-at-${connections}`, 'requests/s', { figure, baseline: bare.perSecond }, null)
    rows.push({ ...row, latency, delay: held })
  }
  return rows
}
