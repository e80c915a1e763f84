import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import { noWakes } from '../queue/wakes.js'
import { ownCommit } from '../statements/commit-sharing.js'
import {
  type Connection,
  type Executor,
  hasEnded,
  nestedTransaction,
  wasNotAwaited,
  withoutTransaction,
} from '../statements/connection.js'
import type { Database } from './storage.js'

/**
 * A transaction that the caller began, and ends, with Kysely 0.27 to 0.29. Its types are those that all these versions
 * share.
 */
export interface KyselyTransaction {
  readonly isTransaction: true
  withoutPlugins(): {
    /** @param query compiled by this package's Kysely; other versions have other types for its nodes */
    executeQuery<R>(query: object): Promise<QueryResult<R>>
  }
}

/** @throws TypeError for a Kysely without a transaction: each statement would commit alone */
export function refuseWithoutTransaction({ isTransaction }: Pick<KyselyTransaction, 'isTransaction'>): void {
  if (isTransaction !== true)
    throw new TypeError('This Kysely is in no transaction: pass the `trx` of `db.transaction().execute`.')
}

export const inNoTransaction = (what: string, begin: string) =>
  new TypeError(`This ${what} is in no transaction: begin one first (\`${begin}\`).`)

const begun = "a client after `await client.query('begin')`"

/** Wrong arguments, each recognised by one of its members, and the argument to pass instead on PostgreSQL. */
const mistaken: readonly (readonly [member: string, name: string, instead: string])[] = [
  ['totalCount', 'a pool', `${begun}, with \`const client = await pool.connect()\``],
  ['$disconnect', 'the client of Prisma', '`fromPrisma(tx)` inside `prisma.$transaction(async (tx) => …)`'],
  ['$queryRawUnsafe', 'a transaction of Prisma', '`fromPrisma(tx)`'],
  ['isCompleted', 'a transaction of Knex', '`fromKnex(trx)`'],
  ['raw', 'a Knex', '`fromKnex(trx)` inside `knex.transaction(async (trx) => …)`'],
  ['rollback', 'a transaction of Drizzle', '`fromDrizzle(tx)`'],
  ['dialect', 'a database of Drizzle', '`fromDrizzle(tx)` inside `db.transaction(async (tx) => …)`'],
]

/** @param instead the right argument, for the wrong one */
export function notTransaction(theirs: unknown, instead?: string): TypeError {
  const [, name = nameOf(theirs), fit = begun] = mistaken.find(([member]) => member in Object(theirs)) ?? []
  return new TypeError(`This is ${name}, not a transaction that can be joined: pass ${instead ?? fit}.`)
}

const nameOf = (theirs: unknown) =>
  typeof theirs === 'object' && theirs !== null ? `an object of ${theirs.constructor.name}` : String(theirs)

/**
 * The caller's transaction. A statement that comes too late is refused, even if a later transaction has begun on the
 * same connection.
 */
export interface CallersTransaction extends Executor {
  /** Like `executeQuery`, outside a savepoint. */
  read<R>(query: CompiledQuery<R>): Promise<QueryResult<R>>
  /**
   * Opens a savepoint. While it is open, a commit commits nothing and rolls everything back.
   * @throws before anything is written, if the transaction has ended
   */
  open(): Promise<void>
  release(): Promise<void>
  /** Sends nothing if the transaction has ended. */
  rollBack(): Promise<void>
}

export interface JoinedDatabase extends Database {
  /** @throws if a call from before the next turn of the event loop has not ended */
  refuseUnawaited(): Promise<void>
}

/**
 * A database whose transactions are savepoints in the caller's transaction: they commit with it, and each rolls back
 * alone. They run one after the other, because savepoints nest.
 */
export function inTransaction(
  theirs: CallersTransaction,
  { statements, repositories }: Pick<Database, 'statements' | 'repositories'>,
): JoinedDatabase {
  const scopes = new AsyncLocalStorage<{ isOpen: boolean }>()
  let last: Promise<unknown> = Promise.resolve()
  let underWay = 0

  async function inSavepoint<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const scope = { isOpen: true }
    const connection: Connection = {
      isTransaction: true,
      failsAsWhole: false,
      sharing: ownCommit,
      get isOpen() {
        return scope.isOpen
      },
      async executeQuery(query) {
        // Work that continues after a failure must not write after the rollback.
        if (!scope.isOpen) throw hasEnded()
        return theirs.executeQuery(query)
      },
    }
    await theirs.open()
    try {
      const result = await scopes.run(scope, work, connection)
      await theirs.release()
      return result
    } catch (error) {
      scope.isOpen = false
      // A failure here means that the outer transaction has ended, or can only be rolled back.
      await theirs.rollBack().catch(() => {})
      throw error
    } finally {
      scope.isOpen = false
    }
  }

  return {
    statements,
    repositories,
    reads: { ...withoutTransaction, executeQuery: (query) => theirs.read(query) },
    async transaction(work) {
      if (scopes.getStore()?.isOpen) throw nestedTransaction()
      underWay += 1
      const result = last
        .then(() => inSavepoint(work))
        .finally(() => {
          underWay -= 1
        })
      last = result.catch(() => {})
      return result
    },
    async refuseUnawaited() {
      await setImmediate()
      if (underWay > 0) throw wasNotAwaited()
    },
    async scrub() {
      // Deleted data stays in the files until the caller commits: a worker scrubs them later.
      throw new Error('Nothing can be scrubbed before its transaction is committed.')
    },
    // Only the caller ends the transaction.
    async close() {},
    // Only the caller commits, without an announcement.
    wakes: noWakes,
  }
}
