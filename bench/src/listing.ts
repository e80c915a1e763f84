import { type LoadResult, load } from '#load'

const roundMs = 800

export interface ListLoad {
  readonly port: number
  /** Default: 16. */
  readonly connections?: number
  readonly key: string
}

/** Reads the first page of the list, with 50 cases, repeatedly. */
export function listing({ port, connections = 16, key }: ListLoad): Promise<LoadResult> {
  const requests = [{ headers: { Authorization: `Bearer ${key}` } }]
  const page = { method: 'GET', path: '/api/v1/sav', requests, status: 200 } as const
  return load({ ...page, port, connections, durationMs: roundMs })
}
