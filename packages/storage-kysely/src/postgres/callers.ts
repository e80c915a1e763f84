import { CompiledQuery, type QueryResult } from 'kysely'
import { type Executor, hasEnded, wasNotAwaited } from '../statements/connection.js'
import {
  type CallersTransaction,
  inNoTransaction,
  type KyselyTransaction,
  notTransaction,
  refuseWithoutTransaction,
} from '../storage/in-transaction.js'
import { asSelected } from '../tables/rows.js'
import { numberParsers, withNumbers } from './numbers.js'
import { inTurn } from './sending.js'
import { storable } from './transaction.js'

/** A client of `pg` in a begun transaction, from `pool.connect()`. */
export interface PgClient {
  query(config: {
    readonly text: string
    readonly values: unknown[]
    readonly types: typeof numberParsers
  }): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }>
}

/** A transaction that the caller began on the same database, and ends: Kysely's, or that of a client of `pg`. */
export type PostgresTransactionOfCaller = KyselyTransaction | PgClient

/** What a caller's transaction needs of the store. */
interface JoinedStore {
  /** The name of the table `facts` in statements. */
  readonly facts: string
  /** The columns with whole numbers. */
  readonly wholeNumbers: ReadonlySet<string>
}

export function onCallersPostgres(
  theirs: PostgresTransactionOfCaller,
  { facts, wholeNumbers }: JoinedStore,
): CallersTransaction {
  return new JoinedTransaction(executorOf(theirs, wholeNumbers), { facts, isBegun: 'withoutPlugins' in theirs })
}

const noTransaction = () => inNoTransaction('client', "await client.query('begin')")

/** Reads numbers as numbers, whatever the caller's parsers and plugins do. */
function executorOf(theirs: PostgresTransactionOfCaller, wholeNumbers: JoinedStore['wholeNumbers']): Executor {
  if (Object(theirs) !== theirs) throw notTransaction(theirs)
  if ('withoutPlugins' in theirs) {
    refuseWithoutTransaction(theirs)
    const plain = theirs.withoutPlugins()
    return {
      async executeQuery<R>({ parameters, ...query }: CompiledQuery<R>) {
        const result = await plain.executeQuery<R>({ ...query, parameters: parameters.map(storable) })
        withNumbers(result.rows, wholeNumbers)
        return result
      },
    }
  }
  // A pool also has that method, but uses any of its clients for each statement.
  if (typeof theirs.query !== 'function' || 'totalCount' in theirs) throw notTransaction(theirs)
  const sending = inTurn((query: Parameters<PgClient['query']>[0]) => theirs.query(query))
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery<R>) {
      const values = parameters.map(storable)
      const { rows, rowCount } = await sending({ text: sql, values, types: numberParsers })
      return { rows: asSelected<R>(rows), numAffectedRows: BigInt(rowCount ?? 0) }
    },
  }
}

/** An expression that fails with `sentence`, but only when it is evaluated, because it is not constant. */
const failing = (sentence: string) => `(pg_backend_pid() || ': ${sentence}')::boolean`

/**
 * A commit runs the queries of cursors that outlive it. This one then fails, and so does the commit, unless the cursor
 * was closed before.
 */
const refuseCommit = `declare sav_call cursor with hold for select ${failing(wasNotAwaited().message)}`

const current = 'pg_current_xact_id_if_assigned()'

const startsWithWith = /^\s*with\s+(recursive\s)?/i
const startsWithWrite = /^\s*(insert|update|delete)\s/i

/**
 * Recognises a transaction by the number that the server gave it. If an `await` was forgotten, statements of the caller
 * may come in between, so each of our writes compares the number itself.
 */
class JoinedTransaction implements CallersTransaction {
  readonly #theirs: Executor
  readonly #facts: string
  readonly #isBegun: boolean
  /** The transaction's number. It is requested at once, because a later transaction may have begun by its first use. */
  readonly #id: Promise<string | null>
  /** Null until the transaction has been checked. */
  #guard: string | null = null
  /**
   * Whether the server has answered in this turn of the event loop. If so, the caller cannot have ended the transaction
   * since, because the answer to that would come in a later turn.
   */
  #isInTurn = false

  /** `isBegun`: whether the caller's library guarantees that a transaction has begun. */
  constructor(theirs: Executor, { facts, isBegun }: { readonly facts: string; readonly isBegun: boolean }) {
    this.#theirs = theirs
    this.#facts = facts
    this.#isBegun = isBegun
    this.#id = this.#ask('pg_current_xact_id()')
    // A failure is not ignored: each use of `#id` rejects.
    this.#id.catch(() => {})
  }

  async read<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    await this.#refuseOutside()
    return this.#theirs.executeQuery(query)
  }

  async executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    // After a pause, the connection may be in another transaction, which a failure would end.
    if (!this.#isInTurn) await this.#refuseOutside()
    const sql = startsWithWrite.test(query.sql)
      ? `with ${this.#guard} ${query.sql}`
      : query.sql.replace(startsWithWith, (_, recursive = '') => `with ${recursive}${this.#guard}, `)
    return this.#send({ ...query, sql })
  }

  async open(): Promise<void> {
    await this.#refuseOutside()
    await this.#command('savepoint sav')
    await this.#command(refuseCommit)
  }

  /** Closes the cursor last. Before that, a commit keeps nothing; after that, it keeps everything. */
  async release(): Promise<void> {
    await this.#command('release savepoint sav')
    await this.#command('close sav_call')
  }

  async rollBack(): Promise<void> {
    // If the caller's transaction has ended, this rollback would fail a later transaction on the same connection.
    if (!(await this.#isInside().catch(isAborted))) return
    await this.#command('rollback to savepoint sav')
    await this.#command('release savepoint sav')
  }

  async #refuseOutside(): Promise<void> {
    if (!(await this.#isInside())) throw this.#isBegun || this.#guard !== null ? hasEnded() : noTransaction()
    // The guard is an insert, because the server runs an insert even if nothing refers to it.
    this.#guard ??= `sav_guard as (insert into ${this.#facts} (name, value) select '', '' where case
      when ${current} = '${await this.#id}' then false else ${failing(hasEnded().message)} end)`
  }

  async #isInside(): Promise<boolean> {
    return (await this.#ask(current)) === (await this.#id)
  }

  async #ask(id: string): Promise<string | null> {
    const { rows } = await this.#theirs.executeQuery<{ id: string | null }>(
      CompiledQuery.raw(`select ${id}::text as id`),
    )
    return rows[0]?.id ?? null
  }

  async #command(sql: string): Promise<void> {
    await this.#send(CompiledQuery.raw(sql))
  }

  async #send<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    try {
      return await this.#theirs.executeQuery(query)
    } catch (error) {
      throw isOutside(error) ? hasEnded() : error
    } finally {
      this.#isInTurn = true
      setImmediate(() => {
        this.#isInTurn = false
      })
    }
  }
}

/**
 * The server's code of an error. The class of the error is not compared: the caller's `pg` may be another copy of the
 * module.
 */
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

/** Whether the error comes from a transaction that accepts nothing but a rollback. */
const isAborted = (error: unknown) => codeOf(error) === '25P02'

/** Whether the error says that there is no transaction for a savepoint, or no cursor, or comes from `failing`. */
const isOutside = (error: unknown) =>
  codeOf(error) === '25P01' ||
  codeOf(error) === '34000' ||
  (codeOf(error) === '22P02' && [hasEnded(), wasNotAwaited()].some(({ message }) => String(error).includes(message)))
