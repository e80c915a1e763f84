import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { numberParsers } from './numbers.js'
import type { PoolClient, PoolOfCaller } from './sending.js'

const ignored = () => {}

/**
 * A caller's pool for a Kysely that reads numbers as numbers, whatever the pool's parsers are. It never ends the pool.
 */
export const readingNumbers = (pool: PoolOfCaller): PostgresPool => ({
  options: pool.options,
  connect: async () => new NumberReader(await pool.connect()),
  async end() {},
})

class NumberReader implements PostgresPoolClient {
  readonly #client: PoolClient

  constructor(client: PoolClient) {
    this.#client = client
    // The pool does not listen for errors of a client that it has lent. If the connection is lost, the next statement
    // fails.
    client.on('error', ignored)
  }

  query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  /** Never called: Kysely's type requires it for cursors. */
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query(text: unknown, parameters: readonly unknown[] = []): unknown {
    return this.#client.query({ text: String(text), values: [...parameters], types: numberParsers })
  }

  release(isLost?: boolean): void {
    this.#client.off('error', ignored)
    this.#client.release(isLost)
  }
}
