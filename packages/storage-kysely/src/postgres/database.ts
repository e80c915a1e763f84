import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomUUID } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { UnavailableError } from '@sav/core/ports'
import { CompiledQuery, Kysely, PostgresDialect, type QueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Schema } from '../schema.js'
import { CompiledStatements } from '../statements/compiled-statements.js'
import { type Connection, withoutTransaction } from '../statements/connection.js'
import { DeferredRows } from '../statements/deferred-rows.js'
import type { Database } from '../storage.js'
import { pluginsFor, type TableNames } from '../table-names.js'
import { Groups, Member, type Opened } from './commit-groups.js'
import { readMark, sweepMarks, writeMark } from './commit-marks.js'
import { postgresDialect } from './dialect.js'
import { type Failure, failureOf } from './errors.js'
import { type End, type NamedStatement, type Naming, PostgresTransaction, send } from './transaction.js'
import { endsAlone, PostgresWakes } from './wakes.js'

export interface PostgresLimits {
  /** How long a statement waits for a row that another transaction has locked. */
  readonly lockTimeoutMs: number
  readonly statementTimeoutMs: number
  /** How long a transaction may do nothing. */
  readonly idleTimeoutMs: number
}

export interface PostgresDatabaseOptions {
  /** Whether the server keeps statements prepared. */
  readonly prepare: boolean
  /** Null: nowhere. */
  readonly listenAt: string | null
  readonly names: TableNames
}

/** How often a transaction runs again, at most. */
const maxConflicts = 10
const maxLosses = 2

/** How long to look for what became of a commit whose answer was lost. */
const maxDoubtMs = 12_000

/** Texts of statements may come from what callers search for, so their number has a bound. */
const maxNames = 1000

const hour = 3_600_000

/**
 * Plans of the queue look dear, as nobody can tell how few rows are due: to compile them takes longer than to run them.
 * And each statement has its index: plans made while a table was empty would read all of it until it is analyzed.
 */
const sessionSettings = `set jit = off; set enable_seqscan = off; ${endsAlone}`

/** What a pooled connection is known by. */
interface Pooled {
  readonly id: string
  /** Of `performance.now()`. */
  readonly at: number
}

/**
 * Transactions run at READ COMMITTED and lock what they read before they change it (`Session.find` and `lock`). Above that
 * level, whoever waited for a row that another transaction changed would have to run again from the beginning, and all
 * who create cases for one account wait for the same counter.
 */
export class PostgresDatabase implements Database {
  readonly kysely: Kysely<Schema>
  readonly statements: CompiledStatements
  readonly reads: Connection = {
    ...withoutTransaction,
    executeQuery: (query) => this.#counted(() => this.#read(query)),
  }
  readonly wakes: PostgresWakes
  readonly #pool: Pool
  readonly #limits: Readonly<Record<keyof PostgresLimits, string>>
  readonly #prepare: boolean
  readonly #statementNames = new Map<string, NamedStatement>()
  #stales = 0
  readonly #scopes = new AsyncLocalStorage<{ readonly isOpen: boolean }>()
  readonly #groups = new Groups(() => this.#open())
  readonly #pooled = new WeakMap<PoolClient, Pooled>()
  /** What is older may be dead without knowing it. Of `performance.now()`. */
  #suspectBefore = 0
  #sweepAt = 0
  #underWay = 0
  #idle = () => {}
  #closing: Promise<void> | null = null

  constructor(pool: Pool, limits: PostgresLimits, { prepare, listenAt, names }: PostgresDatabaseOptions) {
    this.kysely = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: pluginsFor(names) })
    this.statements = new CompiledStatements(this.kysely, postgresDialect(names))
    this.#pool = pool
    this.#limits = {
      lockTimeoutMs: String(limits.lockTimeoutMs),
      statementTimeoutMs: String(limits.statementTimeoutMs),
      idleTimeoutMs: String(limits.idleTimeoutMs),
    }
    this.#prepare = prepare
    this.wakes = new PostgresWakes({
      listenAt,
      schema: names.schema,
      notify: (channel, payload) => this.#read(CompiledQuery.raw('select pg_notify($1, $2)', [channel, payload])),
    })
    // The pool drops a connection that fails; whoever uses it learns of it from what fails there.
    pool.on('error', () => {})
    pool.on('connect', (client) => {
      client.on('error', () => {})
      client.query(sessionSettings).catch(() => {})
      this.#pooled.set(client, { id: randomUUID(), at: performance.now() })
    })
  }

  async transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#scopes.getStore()?.isOpen)
      throw new Error('A transaction inside another one: use what that one was given.')
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

  /** The server's files are the server's: its vacuum frees what was deleted. */
  async scrub(): Promise<void> {}

  async close(): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  async #close(): Promise<void> {
    // A call under way may be between two of its reads.
    for (await setImmediate(); this.#underWay > 0; await setImmediate())
      await new Promise<void>((resolve) => {
        this.#idle = resolve
      })
    this.wakes.close()
    await this.#pool.end()
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

  async #open(): Promise<Opened> {
    this.#sweep()
    const { client, id } = await this.#take()
    const mark = randomUUID()
    const values = { connection: id, mark, at: new Date().toISOString(), ...this.#limits }
    const transaction = new PostgresTransaction(client, this.#named, this.statements.bind(writeMark, values))
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

  /** @throws UnavailableError when the database does not come back in time to tell */
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
            'The connection was lost during a commit, and the database is away: it may be committed or not.'
          throw new UnavailableError(message, { cause: error, retryAfterSeconds: 5 })
        }
      }
      await setTimeout(100)
    }
  }

  /** Once more on a new connection when the first one turns out to be dead. */
  async #read<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> {
    for (let losses = 0; ; losses += 1) {
      const { client } = await this.#take()
      let failure: Failure | null = null
      try {
        return await send<R>(client, query, this.#named)
      } catch (error) {
        failure = failureOf(error)
        if (!failure.lost || losses === maxLosses) throw failure.error
      } finally {
        this.#release(client, failure)
      }
    }
  }

  async #take(): Promise<{ readonly client: PoolClient; readonly id: string }> {
    if (this.#pool.ending) throw new UnavailableError('The database is closed.', { retryAfterSeconds: 1 })
    for (;;) {
      const client = await this.#pool.connect().catch((error: unknown) => {
        throw failureOf(error).error
      })
      const pooled = this.#pooled.get(client)
      if (pooled !== undefined && pooled.at >= this.#suspectBefore) return { client, id: pooled.id }
      client.release(true)
    }
  }

  #release(client: PoolClient, failure: Failure | null): void {
    if (failure?.othersToo) this.#suspectBefore = performance.now()
    if (failure?.stale) {
      this.#stales += 1
      this.#statementNames.clear()
    }
    client.release(failure?.lost)
  }

  /**
   * The same name in every process: behind a pooler that mixes connections up, it never stands for another statement. Such
   * a pooler tells statements apart by their text, so what it prepared before a migration is asked for with another one.
   */
  readonly #named: Naming = (sql) => {
    if (!this.#prepare) return { text: sql }
    const known = this.#statementNames.get(sql)
    if (known !== undefined || this.#statementNames.size === maxNames) return known ?? { text: sql }
    const text = this.#stales === 0 ? sql : `${sql} /* ${this.#stales} */`
    const named = { name: `sav_${createHash('sha256').update(text).digest('base64url')}`, text }
    this.#statementNames.set(sql, named)
    return named
  }

  /** Forgets connections of processes that ended long ago. */
  #sweep(): void {
    const now = Date.now()
    if (now < this.#sweepAt) return
    this.#sweepAt = now + hour
    const before = new Date(now - 24 * hour).toISOString()
    this.#read(this.statements.bind(sweepMarks, { before })).catch(() => {})
  }
}
