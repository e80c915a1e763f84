import { setImmediate } from 'node:timers/promises'
import { CompiledQuery, type QueryResult } from 'kysely'
import { hasEnded } from '../statements/connection.js'
import {
  type CallersTransaction,
  inNoTransaction,
  type KyselyTransaction,
  notTransaction,
  refuseWithoutTransaction,
} from '../storage/in-transaction.js'

export interface PreparedStatement {
  readonly reader: boolean
  readonly readonly: boolean
  safeIntegers(toggle: boolean): PreparedStatement
  pluck(toggle?: boolean): PreparedStatement
  all(...parameters: unknown[]): unknown[]
  get(...parameters: unknown[]): unknown
  run(...parameters: unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint }
}

/** The part of a database of better-sqlite3 that is used. */
export interface SqliteDatabaseOfCaller {
  readonly name: string
  readonly open: boolean
  readonly inTransaction: boolean
  readonly memory: boolean
  prepare(sql: string): PreparedStatement
  pragma(source: string, options: { readonly simple: boolean }): unknown
  close(): unknown
}

/** A transaction that the caller began on the same database with Kysely 0.28.11 or later, and ends. */
export interface SqliteTransactionOfCaller extends KyselyTransaction {
  getExecutor(): object
}

const instead = 'storage.transactionOn(database, async (storageInside) => …)'

/** A value that is no Kysely comes from callers without types. */
export function onCallersSqlite(
  theirs: SqliteTransactionOfCaller | Pick<SqliteDatabaseOfCaller, 'inTransaction'>,
): CallersTransaction {
  const database = `the database: \`${instead}\``
  if (Object(theirs) !== theirs) throw notTransaction(theirs, database)
  if (!('withoutPlugins' in theirs)) {
    if (typeof theirs.inTransaction !== 'boolean') throw notTransaction(theirs, database)
    if (!theirs.inTransaction) throw inNoTransaction('database', instead)
    throw new TypeError(`This database does not tell one transaction from the next: \`${instead}\` runs one.`)
  }
  refuseWithoutTransaction(theirs)
  // That class is one before 0.28.11, where a transaction goes on after its end, whatever it is part of.
  if (theirs.getExecutor().constructor.name === 'DefaultQueryExecutor')
    throw new TypeError(`This Kysely does not end its transactions: take 0.28.11 or later, or \`${instead}\`.`)
  return new KyselysTransaction(theirs)
}

/**
 * Statements of SQLite are done when they return. So one of ours begins in a turn of the event loop of its own and,
 * unless it waits for something else, has ended when the turn is over: no statement of the caller comes in between, no
 * commit and no rollback. Kysely refuses those that come after.
 */
class KyselysTransaction implements CallersTransaction {
  readonly #plain: ReturnType<KyselyTransaction['withoutPlugins']>

  constructor(theirs: KyselyTransaction) {
    this.#plain = theirs.withoutPlugins()
  }

  executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    return this.#plain.executeQuery(query)
  }

  read<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    return this.executeQuery(query)
  }

  async open(): Promise<void> {
    await setImmediate()
    await this.#command('savepoint sav')
    await this.#command(tableOfCalls(calls))
    await this.#command(refuseCommit(calls))
    try {
      // If a statement, or SQLite, ended the transaction, the savepoint is a transaction of its own, and that row keeps it
      // from being committed.
      await this.#command('release savepoint sav')
    } catch {
      await this.#rollBackToSavepoint()
      throw hasEnded()
    }
    await this.#command('savepoint sav')
  }

  async release(): Promise<void> {
    await this.#command('release savepoint sav')
    await this.#command(noMoreCalls)
  }

  async rollBack(): Promise<void> {
    await this.#rollBackToSavepoint()
    await this.#command(noMoreCalls)
  }

  async #rollBackToSavepoint(): Promise<void> {
    await this.#command('rollback to savepoint sav')
    await this.#command('release savepoint sav')
  }

  async #command(sql: string): Promise<void> {
    await this.executeQuery(CompiledQuery.raw(sql))
  }
}

/** The table that holds a row for each call under way inside a transaction of Kysely. */
export const calls = 'sav_call'

export const tableOfCalls = (name: string) => `create temp table if not exists ${name}
  (id integer primary key, none integer references ${name} (id) deferrable initially deferred)`

/** A row that refers to none: as long as it exists nothing can be committed, where foreign keys are on. */
export const refuseCommit = (name: string) => `insert into temp.${name} values (1, 2)`

export const callsUnderWay = `select id from temp.${calls}`

const noMoreCalls = `delete from temp.${calls}`
