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

/** The used part of a better-sqlite3 database. */
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

/** Callers without types may pass anything. */
export function onCallersSqlite(
  theirs: SqliteTransactionOfCaller | Pick<SqliteDatabaseOfCaller, 'inTransaction'>,
): CallersTransaction {
  const database = `the database: \`${instead}\``
  if (Object(theirs) !== theirs) throw notTransaction(theirs, database)
  if (!('withoutPlugins' in theirs)) {
    if (typeof theirs.inTransaction !== 'boolean') throw notTransaction(theirs, database)
    if (!theirs.inTransaction) throw inNoTransaction('database', instead)
    throw new TypeError(
      `A transaction cannot be joined through a Database of better-sqlite3: run it with \`${instead}\`.`,
    )
  }
  refuseWithoutTransaction(theirs)
  // That class means a version before 0.28.11, where a transaction can still be used after its end.
  if (theirs.getExecutor().constructor.name === 'DefaultQueryExecutor')
    throw new TypeError(
      `This version of Kysely can use a transaction after its end: use 0.28.11 or later, or \`${instead}\`.`,
    )
  return new KyselysTransaction(theirs)
}

/**
 * Statements of SQLite are done when they return. Each of ours begins in its own turn of the event loop and, unless it
 * waits for something else, ends in that turn: no statement, commit or rollback of the caller comes in between. Kysely
 * refuses statements after the transaction's end.
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
      // If a statement or SQLite has ended the caller's transaction, the savepoint is itself a transaction, and the row
      // of `refuseCommit` prevents its commit.
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

/** The table with a row while a call runs inside a transaction of Kysely. */
export const calls = 'sav_call'

export const tableOfCalls = (name: string) => `create temp table if not exists ${name}
  (id integer primary key, none integer references ${name} (id) deferrable initially deferred)`

/** A row with a dangling reference: while it exists nothing can be committed, if foreign keys are on. */
export const refuseCommit = (name: string) => `insert into temp.${name} values (1, 2)`

export const callsUnderWay = `select id from temp.${calls}`

const noMoreCalls = `delete from temp.${calls}`
