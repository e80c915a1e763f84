import type { numberParsers } from './numbers.js'

export interface Query {
  /** Under which the server keeps it prepared, if it does. */
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
  readonly types: typeof numberParsers
}

/** Sends a query on one session, behind what was sent before it. */
export type Sending = (query: string | Query) => Promise<Answer>

export interface Answer {
  readonly command: string
  readonly rows: unknown[]
  readonly rowCount: number | null
}

/** A client that a pool of `pg` has lent out: what of it is used. */
export interface Lent {
  query(query: string | Query): Promise<Answer>
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
  release(destroy?: boolean): void
}

/** A pool of `pg`: what of it is used. */
export interface PoolOfCaller {
  readonly options: object
  readonly ending: boolean
  connect(): Promise<Lent>
  on(event: 'connect', listener: (client: Lent) => void): unknown
  off(event: 'connect', listener: (client: Lent) => void): unknown
  end(): Promise<void>
}

/** Whether its clients send a query before the one ahead of it is answered. */
export const isPipelining = ({ options }: PoolOfCaller): boolean => 'pipeline' in options && options.pipeline === true

/** One query after the answer to the other: a client of `pg` takes no more at once, unless its owner chose otherwise. */
export function inTurn<Q, Result>(send: (query: Q) => Promise<Result>): (query: Q) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (query) => {
    const answer = last.then(() => send(query))
    last = answer.catch(() => {})
    return answer
  }
}
