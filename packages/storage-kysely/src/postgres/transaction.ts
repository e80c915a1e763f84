import type { CompiledQuery, QueryResult } from 'kysely'
import { asSelected } from '../tables/rows.js'
import { type Failure, failureOf } from './errors.js'
import { numberParsers } from './numbers.js'
import type { SendQuery } from './sending.js'

/** Replaces NUL, which PostgreSQL cannot store in text. */
export const storable = (value: unknown) =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value

/** A statement with the name under which the server keeps it prepared, if it does. */
export interface NamedStatement {
  readonly name?: string
  readonly text: string
}

export type NameStatement = (sql: string) => NamedStatement

export async function send<R>(sending: SendQuery, query: CompiledQuery, named: NameStatement): Promise<QueryResult<R>> {
  const { name, text } = named(query.sql)
  const values = query.parameters.map(storable)
  const { rows, rowCount } = await sending({ ...(name !== undefined && { name }), text, values, types: numberParsers })
  return { rows: asSelected<R>(rows), numAffectedRows: BigInt(rowCount ?? 0) }
}

/** How a transaction ended. */
export type End =
  | { readonly kind: 'committed' }
  | { readonly kind: 'rolled back'; readonly failure: Failure | null }
  | { readonly kind: 'in doubt'; readonly failure: Failure }

/** One transaction on its own connection. A failed statement fails all of it. */
export class PostgresTransaction {
  readonly #sending: SendQuery
  readonly #named: NameStatement
  #failure: Failure | null = null

  /** `first` is sent with the `beginning`, and its rows are ignored. */
  constructor(
    sending: SendQuery,
    named: NameStatement,
    { beginning, first }: { beginning: string; first: CompiledQuery },
  ) {
    this.#sending = sending
    this.#named = named
    this.#answered(sending(beginning)).catch(() => {})
    this.executeQuery(first).catch(() => {})
  }

  /** The first statement that failed: later ones fail because of it. */
  get failure(): Failure | null {
    return this.#failure
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#answered(send<R>(this.#sending, query, this.#named))
  }

  async commit(): Promise<End> {
    try {
      const { command } = await this.#answered(this.#sending('commit'))
      if (command === 'COMMIT') return { kind: 'committed' }
      return { kind: 'rolled back', failure: this.#failure ?? failureOf(new Error('The database rolled back.')) }
    } catch (error) {
      const failure = this.#failure ?? failureOf(error)
      return { kind: failure.lost ? 'in doubt' : 'rolled back', failure }
    }
  }

  async rollback(): Promise<End> {
    if (!this.#failure?.lost) await this.#answered(this.#sending('rollback')).catch(() => {})
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
