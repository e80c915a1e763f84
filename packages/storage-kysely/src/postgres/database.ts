import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomUUID } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { UnavailableError } from '@sav/core/ports'
import { CompiledQuery, Kysely, PostgresDialect, type QueryResult } from 'kysely'
import { Batches, DeferredRows, ownCommit } from '../statements/commit-sharing.js'
import { type Connection, nestedTransaction, withoutTransaction } from '../statements/connection.js'
import { CompiledStatements } from '../statements/statement.js'
import type { FeatureRepositories } from '../storage/feature-tables.js'
import type { OnCommit } from '../storage/opened-storage.js'
import type { Database } from '../storage/storage.js'
import { nameOfSchema, pluginsFor, type TableNames } from '../tables/names.js'
import type { StoreTables } from '../tables/store-tables.js'
import type { Schema } from '../tables/tables.js'
import { Groups, type ServerTransaction } from './commit-groups.js'
import { readMark, sweepMarks, writeMark } from './commit-marks.js'
import { postgresDialect } from './dialect.js'
import { type Failure, failureOf } from './errors.js'
import { Member } from './member.js'
import { readingNumbers } from './reading-numbers.js'
import { inTurn, isPipelining, type PoolClient, type PoolOfCaller, type SendQuery } from './sending.js'
import { type End, type NamedStatement, type NameStatement, PostgresTransaction, send } from './transaction.js'
import { endsAlone, PostgresWakes } from './wakes.js'
import { indexingWords, WordIndexing } from './word-indexing.js'

export interface PostgresLimits {
  /** How long a statement waits for a row that another transaction has locked. */
  readonly lockTimeoutMs: number
  readonly statementTimeoutMs: number
  /** How long a transaction may be idle. */
  readonly idleTimeoutMs: number
}

export interface PostgresDatabaseOptions {
  /** Whether only this database uses the pool. Then the pool ends with it, and its sessions get its settings. */
  readonly isOwn: boolean
  /** Whether the server keeps prepared statements. */
  readonly prepare: boolean
  /** Null: it does not listen. */
  readonly listenAt: string | null
  readonly names: TableNames
  readonly tables: StoreTables
  readonly repositories: FeatureRepositories
}

/** How often a transaction is repeated at most, after conflicts and after lost connections. */
const maxConflicts = 10
const maxLosses = 2

/** How long to check the outcome of a commit whose answer was lost. */
const maxDoubtMs = 12_000

/** Limits the prepared statements, since their texts may depend on what callers search for. */
const maxNames = 1000

const hour = 3_600_000

/**
 * No compilation: the planner does not know how few rows of the queue are due, considers its plans expensive, and would
 * spend more time on compiling them than on running them. No sequential scans: each statement has an index, but a plan
 * made for an empty table would read the whole table until it is analyzed.
 */
const sessionSettings = `set jit = off; set enable_seqscan = off; ${endsAlone}`

/**
 * After how many uses a session first discards its plans. It discards them again after eight times as many uses. A
 * session plans a statement, or a foreign key check, a few times and then keeps the plan until its tables are analyzed.
 * Tables grow sooner: a plan for empty tables reads all of an account's rows by the wrong index.
 */
const replanAfter = 8
const replanFactor = 8

const beginning = 'begin isolation level read committed'

/** Behind a pooler, session settings do not last, so each transaction has its own. */
const settings = ({ lockTimeoutMs, statementTimeoutMs, idleTimeoutMs }: PostgresLimits) =>
  `set local lock_timeout = ${lockTimeoutMs}; set local statement_timeout = ${statementTimeoutMs}; set local idle_in_transaction_session_timeout = ${idleTimeoutMs}`

/** Our session settings, for a session of the caller: they end with the transaction. */
const amongOthers = '; set local jit = off; set local enable_seqscan = off'

const ignored = () => {}

/** What is known about a pooled connection. */
interface PooledConnection {
  readonly id: string
  /** When the connection was opened, by `performance.now()`. */
  readonly at: number
  /** How often it was used. */
  uses: number
  replanAt: number
}

/**
 * Transactions run at READ COMMITTED and lock what they read before they change it (`QueryRunner.find` and `lock`). At
 * a higher level, a transaction that waited for a row changed by another one would have to run again from the
 * beginning, and all creations of one account wait for the same counter.
 */
export class PostgresDatabase implements Database {
  readonly kysely: Kysely<Schema>
  readonly statements: CompiledStatements
  readonly repositories: FeatureRepositories
  readonly reads: Connection = {
    ...withoutTransaction,
    sharing: {
      ...ownCommit,
      batched: (name, asked, ask) => this.#batches.batched(name, asked, { ask, turn: setImmediate }),
    },
    executeQuery: (query) => this.#read(query),
  }
  readonly #batches = new Batches()
  readonly wakes: PostgresWakes
  /** The first damage found, as a sentence. */
  damage: string | null = null
  onCommit: OnCommit = ignored
  readonly #pool: PoolOfCaller
  readonly #isOwn: boolean
  readonly #beginning: string
  readonly #beginningOfRead: string
  readonly #prepare: boolean
  readonly #statementNames = new Map<string, NamedStatement>()
  #stales = 0
  readonly #scopes = new AsyncLocalStorage<{ readonly isOpen: boolean }>()
  readonly #groups = new Groups(
    () => this.#open(),
    (transactions) => {
      this.#words.committed()
      this.onCommit(transactions)
    },
  )
  readonly #words: WordIndexing
  readonly #pooled = new WeakMap<PoolClient, PooledConnection>()
  /** Connections older than this may be dead. By `performance.now()`. */
  #suspectBefore = 0
  #sweepAt = 0
  #underWay = 0
  #idle = () => {}
  #closing: Promise<void> | null = null
  #isClosed = false

  constructor(
    pool: PoolOfCaller,
    limits: PostgresLimits,
    { isOwn, prepare, listenAt, names, tables, repositories }: PostgresDatabaseOptions,
  ) {
    const dialect = new PostgresDialect({ pool: readingNumbers(pool) })
    this.kysely = new Kysely<Schema>({ dialect, plugins: pluginsFor(names, tables) })
    this.#isOwn = isOwn
    this.statements = new CompiledStatements(this.kysely, { dialect: postgresDialect(names), tables })
    this.repositories = repositories
    this.#pool = pool
    this.#beginning = `${beginning}; ${settings(limits)}${isOwn ? '' : amongOthers}`
    this.#beginningOfRead = `${beginning}; set local statement_timeout = ${limits.statementTimeoutMs}${amongOthers}`
    this.#prepare = prepare
    this.wakes = new PostgresWakes({
      listenAt,
      schema: nameOfSchema(names),
      notify: (channel, payload) => this.#read(CompiledQuery.raw('select pg_notify($1, $2)', [channel, payload])),
    })
    const indexing = indexingWords(names)
    this.#words = new WordIndexing(() => this.reads.executeQuery(this.statements.bind(indexing, {})))
    pool.on('connect', this.#connected)
  }

  readonly #connected = (client: PoolClient): void => {
    this.#pooled.set(client, newlyPooled(performance.now()))
    if (this.#isOwn) client.query(sessionSettings).catch(ignored)
  }

  async transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#scopes.getStore()?.isOpen) throw nestedTransaction()
    return this.#counted(async () => {
      for (let conflicts = 0, losses = 0, alone = false; ; ) {
        const member = new Member(this.#groups, { alone })
        const end = await this.#scopes.run(member, () => member.run(work))
        if (end.kind === 'committed') return end.result
        if (end.kind === 'rolled back with others') {
          alone = true
          continue
        }
        const { conflict, lost, error } = end.failure
        if (conflict && conflicts < maxConflicts) conflicts += 1
        else if (lost && losses < maxLosses) losses += 1
        else throw error
        await setTimeout(Math.random() * 2 ** Math.min(conflicts + losses, 7))
      }
    })
  }

  /** Runs work that has its own connections. @throws UnavailableError once the database is closed */
  beside<T>(work: () => Promise<T>): Promise<T> {
    return this.#counted(async () => {
      this.#refuseOnceClosed()
      return work()
    })
  }

  /** Does nothing: the server's vacuum removes deleted data from its files. */
  async scrub(): Promise<void> {}

  async close(): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  async #close(): Promise<void> {
    // A call in progress may be between two of its reads.
    for (await setImmediate(); this.#underWay > 0; await setImmediate())
      await new Promise<void>((resolve) => {
        this.#idle = resolve
      })
    this.#isClosed = true
    this.#words.close()
    this.#pool.off('connect', this.#connected)
    await Promise.all([this.wakes.close(), this.#isOwn && this.#pool.end()])
  }

  async #counted<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await work()
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#idle()
    }
  }

  async #open(): Promise<ServerTransaction> {
    this.#sweep()
    const { client, sending, id } = await this.#take()
    const mark = randomUUID()
    const transaction = new PostgresTransaction(sending, this.#named, {
      beginning: this.#beginning,
      first: this.statements.bind(writeMark, { connection: id, mark, at: new Date().toISOString() }),
    })
    const released = (end: End) => {
      this.#release(client, transaction.failure)
      return end
    }
    const settled = async (end: End) => {
      if (end.kind !== 'in doubt') return end
      if (await this.#isCommitted(id, mark)) return { kind: 'committed' } as const
      return { kind: 'rolled back', failure: end.failure } as const
    }
    let deferred = new DeferredRows()
    const flushDeferred = () => {
      for (const query of deferred.queries(this.statements)) transaction.executeQuery(query).catch(() => {})
      deferred = new DeferredRows()
    }
    return {
      executeQuery: (query) => transaction.executeQuery(query),
      defer: (rows) => rows.moveTo(deferred),
      flushDeferred,
      commit() {
        flushDeferred()
        return transaction.commit().then(released).then(settled)
      },
      rollback: () => transaction.rollback().then(released).then(settled),
    }
  }

  /** @throws UnavailableError when the database does not come back in time to answer */
  async #isCommitted(id: string, mark: string): Promise<boolean> {
    const deadline = performance.now() + maxDoubtMs
    for (;;) {
      try {
        const { rows } = await this.#read(this.statements.bind(readMark, { connection: id }))
        return rows[0]?.mark === mark
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error
        if (performance.now() >= deadline) {
          const message =
            'The connection was lost during a commit, which may have succeeded. The database cannot be reached.'
          throw new UnavailableError(message, { cause: error, retryAfterSeconds: 5 })
        }
      }
      await setTimeout(100)
    }
  }

  #read<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    return this.#counted(() => this.#readOnce(query))
  }

  /** Reads again on a new connection if the first one turns out to be dead. */
  async #readOnce<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    for (let losses = 0; ; losses += 1) {
      const { client, sending } = await this.#take()
      let failure: Failure | null = null
      try {
        return await this.#send<R>(sending, query)
      } catch (error) {
        failure = failureOf(error)
        if (failure.error instanceof UnavailableError && failure.error.damaged) this.damage ??= failure.error.message
        if (!failure.lost || losses === maxLosses) throw failure.error
      } finally {
        this.#release(client, failure)
      }
    }
  }

  async #send<R>(sending: SendQuery, query: CompiledQuery<R>): Promise<QueryResult<R>> {
    if (this.#isOwn) return send<R>(sending, query, this.#named)
    // If the beginning fails, the rest fails as well; if the query fails, the commit rolls back.
    sending(this.#beginningOfRead).catch(ignored)
    const answer = send<R>(sending, query, this.#named)
    await Promise.allSettled([answer, sending('commit')])
    return answer
  }

  async #take(): Promise<{ readonly client: PoolClient; readonly sending: SendQuery; readonly id: string }> {
    this.#refuseOnceClosed()
    for (;;) {
      const client = await this.#connect()
      // The pool opened this connection before this database existed, so it may be of any age.
      const pooled = this.#pooled.get(client) ?? newlyPooled(0)
      this.#pooled.set(client, pooled)
      if (!this.#isOwn) client.on('error', ignored)
      if (pooled.at >= this.#suspectBefore) {
        if (this.#isOwn) replanned(client, pooled)
        return { client, sending: this.#sendingOn(client), id: pooled.id }
      }
      this.#giveBack(client, true)
    }
  }

  #refuseOnceClosed(): void {
    if (this.#isClosed || this.#pool.ending)
      throw new UnavailableError('The database is closed.', { retryAfterSeconds: 1 })
  }

  /** A pool throws instead of rejecting if a file named in the URL is missing. */
  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw failureOf(error).error
    }
  }

  #sendingOn(client: PoolClient): SendQuery {
    const sending: SendQuery = (query) => client.query(query)
    return this.#isOwn || isPipelining(this.#pool) ? sending : inTurn(sending)
  }

  #release(client: PoolClient, failure: Failure | null): void {
    if (failure?.othersToo) this.#suspectBefore = performance.now()
    if (failure?.stale) {
      this.#stales += 1
      this.#statementNames.clear()
    }
    this.#giveBack(client, failure?.lost)
  }

  #giveBack(client: PoolClient, isLost: boolean | undefined): void {
    if (!this.#isOwn) client.off('error', ignored)
    client.release(isLost)
  }

  /**
   * Derives a statement's name from its text. So a name means the same statement in every process, even behind a pooler
   * that mixes up their connections. Statements prepared before a migration are stale, so the text is changed after it,
   * and with it the name.
   */
  readonly #named: NameStatement = (sql) => {
    if (!this.#prepare) return { text: sql }
    const known = this.#statementNames.get(sql)
    if (known !== undefined || this.#statementNames.size === maxNames) return known ?? { text: sql }
    const text = this.#stales === 0 ? sql : `${sql} /* ${this.#stales} */`
    const named = { name: `sav_${createHash('sha256').update(text).digest('base64url')}`, text }
    this.#statementNames.set(sql, named)
    return named
  }

  /** Deletes the marks of connections of processes that ended long ago. */
  #sweep(): void {
    const now = Date.now()
    if (now < this.#sweepAt) return
    this.#sweepAt = now + hour
    const before = new Date(now - 24 * hour).toISOString()
    this.#read(this.statements.bind(sweepMarks, { before })).catch(() => {})
  }
}

const newlyPooled = (at: number): PooledConnection => ({ id: randomUUID(), at, uses: 0, replanAt: replanAfter })

/** Call it before the session is used. */
function replanned(client: PoolClient, pooled: PooledConnection): void {
  pooled.uses += 1
  if (pooled.uses < pooled.replanAt) return
  pooled.replanAt *= replanFactor
  client.query('discard plans').catch(ignored)
}
