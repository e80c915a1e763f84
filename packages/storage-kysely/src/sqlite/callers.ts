import type { CompiledQuery } from 'kysely'
import { type KyselyTransaction, refuseWithoutTransaction } from '../in-transaction.js'
import { asSelected } from '../rows.js'
import type { Executor } from '../statements/connection.js'

export interface Prepared {
  readonly reader: boolean
  readonly readonly: boolean
  safeIntegers(toggle: boolean): Prepared
  pluck(toggle?: boolean): Prepared
  all(...parameters: unknown[]): unknown[]
  get(...parameters: unknown[]): unknown
  run(...parameters: unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint }
}

/** A database of better-sqlite3: what of it is used. */
export interface SqliteDatabaseOfCaller {
  readonly name: string
  readonly open: boolean
  readonly inTransaction: boolean
  prepare(sql: string): Prepared
  pragma(source: string, options: { readonly simple: boolean }): unknown
  close(): unknown
}

/** A transaction that the caller began on the same database, and ends: Kysely's, or that of better-sqlite3 itself. */
export type SqliteTransactionOfCaller = KyselyTransaction | SqliteDatabaseOfCaller

/** Numbers are read as numbers, whatever the caller's default is. */
export function onCallersSqlite(theirs: SqliteTransactionOfCaller): Executor {
  if ('withoutPlugins' in theirs) {
    refuseWithoutTransaction(theirs)
    const plain = theirs.withoutPlugins()
    return { executeQuery: (query) => plain.executeQuery(query) }
  }
  if (!theirs.inTransaction)
    throw new TypeError('This database is in no transaction: begin one first (`database.exec("begin immediate")`).')
  const prepared = new Map<string, Prepared>()
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery<R>) {
      const statement = prepared.get(sql) ?? theirs.prepare(sql).safeIntegers(false)
      prepared.set(sql, statement)
      if (statement.reader) return { rows: asSelected<R>(statement.all(...parameters)) }
      return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
    },
  }
}
