import type { CompiledQuery, QueryResult } from 'kysely'
import type { PoolClient } from 'pg'
import { asSelected } from '../rows.js'
import { type Failure, failureOf } from './errors.js'

/** PostgreSQL keeps no NUL in a text: it becomes the character that stands for one which cannot be shown. */
export const storable = (value: unknown) =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value

/** With the name under which the server keeps it prepared, if it does. */
export interface NamedStatement {
  readonly name?: string
  readonly text: string
}

export type Naming = (sql: string) => NamedStatement

/** Sends `query` right behind what was sent before, answered or not. */
export async function send<R>(client: PoolClient, query: CompiledQuery, named: Naming): Promise<QueryResult<R>> {
  const { name, text } = named(query.sql)
  const { rows, rowCount } = await client.query({ name, text, values: query.parameters.map(storable) })
  return { rows: asSelected<R>(rows), numAffectedRows: BigInt(rowCount ?? 0) }
}

/** How a transaction ended. */
export type End =
  | { readonly kind: 'committed' }
  | { readonly kind: 'rolled back'; readonly failure: Failure | null }
  | { readonly kind: 'in doubt'; readonly failure: Failure }

/** One transaction on a connection that it has to itself. A statement that fails fails the whole of it. */
export class PostgresTransaction {
  readonly #client: PoolClient
  readonly #named: Naming
  #failure: Failure | null = null

  /** `first` is sent with the beginning, and nobody waits for its rows. */
  constructor(client: PoolClient, named: Naming, first: CompiledQuery) {
    this.#client = client
    this.#named = named
    // The level by name: a database may be set to another one.
    this.#answered(client.query('begin isolation level read committed')).catch(() => {})
    this.executeQuery(first).catch(() => {})
  }

  /** The first statement that failed: those after it fail because of it. */
  get failure(): Failure | null {
    return this.#failure
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#answered(send<R>(this.#client, query, this.#named))
  }

  async commit(): Promise<End> {
    try {
      const { command } = await this.#answered(this.#client.query('commit'))
      if (command === 'COMMIT') return { kind: 'committed' }
      return { kind: 'rolled back', failure: this.#failure ?? failureOf(new Error('The database rolled back.')) }
    } catch (error) {
      const failure = this.#failure ?? failureOf(error)
      return { kind: failure.lost ? 'in doubt' : 'rolled back', failure }
    }
  }

  async rollback(): Promise<End> {
    if (!this.#failure?.lost) await this.#answered(this.#client.query('rollback')).catch(() => {})
    return { kind: 'rolled back', failure: this.#failure }
  }

  async #answered<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      this.#failure ??= failureOf(error)
      throw this.#failure.error
    }
  }
}
