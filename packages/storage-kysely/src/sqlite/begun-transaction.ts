import { setImmediate } from 'node:timers/promises'
import { CompiledQuery, type QueryResult } from 'kysely'
import { hasEnded, wasNotAwaited } from '../statements/connection.js'
import type { CallersTransaction } from '../storage/in-transaction.js'
import { refuseCommit, tableOfCalls } from './callers.js'
import type { SqliteConnection } from './connection.js'
import { asUnavailable } from './errors.js'

let begun = 0

/**
 * A transaction that the storage begins and ends on the caller's connection. Its temporary
 * table exists only while the transaction is open. So if the caller rolls it back, a later transaction on the connection
 * is not mistaken for it.
 */
export class BegunTransaction implements CallersTransaction {
  readonly #connection: SqliteConnection
  readonly #table: string
  #isOpen = true
  #isBusy = false

  /** @throws SqliteError, as busy, while others write or its owner is in a transaction */
  constructor(connection: SqliteConnection) {
    begun += 1
    this.#table = `sav_transaction_${begun}`
    this.#connection = connection
    connection.refuseWhileTaken()
    connection.run('begin immediate')
    try {
      connection.run(tableOfCalls(this.#table))
      connection.run(refuseCommit(this.#table))
    } catch (error) {
      connection.run('rollback')
      throw error
    }
  }

  get isOpen(): boolean {
    return this.#isOpen && this.#isThere
  }

  async executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    this.#refuseEnded()
    return this.#connection.execute<R>(query)
  }

  read<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    return this.executeQuery(query)
  }

  /** Opens a savepoint, in a separate turn of the event loop, so that no statement of the caller becomes part of it. */
  async open(): Promise<void> {
    await setImmediate()
    this.#refuseEnded()
    this.#connection.run('savepoint sav')
    this.#isBusy = true
  }

  async release(): Promise<void> {
    this.#refuseEnded()
    this.#connection.run('release savepoint sav')
    this.#isBusy = false
  }

  async rollBack(): Promise<void> {
    if (!this.isOpen) return
    this.#connection.run('rollback to savepoint sav')
    await this.release()
  }

  /** @throws if a call inside it is still running, or it has already ended */
  commit(): void {
    this.#refuseEnded()
    if (this.#isBusy) throw wasNotAwaited()
    this.#connection.run(`drop table temp.${this.#table}`)
    this.#isOpen = false
    try {
      this.#connection.run('commit')
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.run('rollback')
      throw asUnavailable(error)
    }
  }

  rollback(): void {
    if (this.isOpen) this.#connection.run('rollback')
    this.#isOpen = false
  }

  get #isThere(): boolean {
    const found = CompiledQuery.raw('select 1 from sqlite_temp_master where name = ?', [this.#table])
    return this.#connection.inTransaction && this.#connection.execute(found).rows.length > 0
  }

  #refuseEnded(): void {
    if (!this.isOpen) throw hasEnded()
  }
}
