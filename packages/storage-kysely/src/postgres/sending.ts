import type { numberParsers } from './numbers.js'

export interface Query {
  /** The name under which the server keeps it prepared, if it does. */
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
  readonly types: typeof numberParsers
}

/** Sends a query on one session, after all earlier ones. */
export type SendQuery = (query: string | Query) => Promise<Answer>

export interface Answer {
  readonly command: string
  readonly rows: unknown[]
  readonly rowCount: number | null
}

/** The used part of a client that a `pg` pool lends out. */
export interface PoolClient {
  query(query: string | Query): Promise<Answer>
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
  release(destroy?: boolean): void
}

/** The used part of a `pg` pool. */
export interface PoolOfCaller {
  readonly options: object
  readonly ending: boolean
  connect(): Promise<PoolClient>
  on(event: 'connect', listener: (client: PoolClient) => void): unknown
  off(event: 'connect', listener: (client: PoolClient) => void): unknown
  end(): Promise<void>
}

/** Whether the pool's clients send a query before the previous one is answered. */
export const isPipelining = ({ options }: PoolOfCaller): boolean => 'pipeline' in options && options.pipeline === true

/**
 * Sends each query after the previous answer: a client of `pg` takes one at a time, unless its owner chose otherwise.
 */
export function inTurn<Q, Result>(send: (query: Q) => Promise<Result>): (query: Q) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (query) => {
    const answer = last.then(() => send(query))
    last = answer.catch(() => {})
    return answer
  }
}
