import type { CompiledQuery, QueryResult } from 'kysely'
import { type CommitSharing, ownCommit } from './commit-sharing.js'

/** Runs compiled queries: a connection, a transaction, a whole Kysely. */
export interface Executor {
  executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>>
}

/**
 * The connection on which a session runs its statements. Outside a transaction it is `withoutTransaction` with an
 * executor.
 */
export interface Connection extends Executor {
  readonly isTransaction: boolean
  /** False once the transaction has been committed or rolled back. */
  readonly isOpen: boolean
  /**
   * Whether a failed statement fails the whole transaction, at the latest at its commit. Then each outcome need not be
   * awaited.
   */
  readonly failsAsWhole: boolean
  readonly sharing: CommitSharing
}

export const withoutTransaction = {
  isTransaction: false,
  isOpen: true,
  failsAsWhole: false,
  sharing: ownCommit,
} as const

/** Thrown for a statement after the transaction's end. */
export const hasEnded = () => new Error('This transaction has ended: nothing can be read or written through it.')

/** Thrown for a call inside a transaction that is not made through it. */
export const nestedTransaction = () =>
  new Error('This call would wait for the transaction around it: use only the object that its function was given.')

/** Thrown for a commit while a call inside the transaction is running. */
export const wasNotAwaited = () =>
  new Error('A call inside this transaction was not awaited: the whole transaction was rolled back.')
