import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { UnavailableError } from '@sav/core/ports'
import { type CompiledQuery, type Kysely, type QueryResult, RawNode, SelectQueryNode } from 'kysely'
import { ProcessWakes } from '../queue/wakes.js'
import { type Connection, nestedTransaction, withoutTransaction } from '../statements/connection.js'
import { CompiledStatements } from '../statements/statement.js'
import type { FeatureParts, FeatureRepositories } from '../storage/feature-tables.js'
import type { Layout } from '../storage/migrate.js'
import type { OnCommit } from '../storage/opened-storage.js'
import type { Database } from '../storage/storage.js'
import { pluginsFor } from '../tables/names.js'
import type { Schema } from '../tables/tables.js'
import { BegunTransaction } from './begun-transaction.js'
import { calls, type SqliteDatabaseOfCaller, tableOfCalls } from './callers.js'
import { GroupCommit, type GroupLimits, RolledBackWithOthersError } from './commit-groups.js'
import { SqliteConnection } from './connection.js'
import { sqliteDialect } from './dialect.js'
import { whenNotBusy } from './errors.js'
import { type GroupedConnections, kyselyOver, type Scope } from './kysely.js'
import { Member } from './member.js'
import { type IndexedDatabase, WordIndexing } from './word-indexing.js'

export interface Connections {
  readonly writer: SqliteConnection
  /** Null for a database in memory, which has only one connection: there, reads take turns with transactions. */
  readonly reader: SqliteConnection | null
}

/** What a database contains, and where. */
export interface DatabaseParts extends Pick<Layout, 'names'>, FeatureParts {}

/**
 * Compiled statements of all stores without a prefix: a process that opens a store for each of its tests takes half as
 * long.
 */
const compiled = new WeakMap<object, CompiledQuery>()

/** How long after a caller's transaction more are expected: a worker writes some ten times a second or more. */
const busyMs = 100

/** How often a transaction runs at most when others of its group make it fail. */
const maxAttempts = 5

/** How long a scrub waits for readers of the log before it tries again. */
const scrubPatienceMs = 1000
const scrubPauseMs = 20

/** The connections of one database, shared by the storage and its callers' Kysely. */
export class SqliteDatabase implements Database, GroupedConnections {
  readonly kysely: Kysely<Schema>
  readonly statements: CompiledStatements
  readonly repositories: FeatureRepositories
  readonly reads: Connection = { ...withoutTransaction, executeQuery: (query) => this.#read(query) }
  readonly wakes = new ProcessWakes()
  onCommit: OnCommit = () => {}
  /** Called after each commit of this connection. */
  afterCommit = () => {}
  readonly #connections: Connections
  readonly #limits: GroupLimits
  readonly #commits: GroupCommit
  readonly #scopes = new AsyncLocalStorage<Scope>()
  readonly #words: WordIndexing
  /** When a caller began its latest transaction, by `performance.now()`. */
  #calledAt = 0
  #closing: Promise<void> | null = null

  constructor(connections: Connections, limits: GroupLimits, { names, tables, repositories }: DatabaseParts) {
    connections.writer.run(tableOfCalls(calls))
    this.kysely = kyselyOver(this, pluginsFor(names, tables))
    const of = { dialect: sqliteDialect, tables }
    this.statements = new CompiledStatements(this.kysely, of, names.prefix === '' ? compiled : undefined)
    this.repositories = repositories
    this.#connections = connections
    this.#limits = limits
    this.#words = new WordIndexing(this.#indexed, this.statements)
    // Called at the end of a caller's transaction, but outside of it.
    const committed = AsyncResource.bind((transactions: number) => {
      this.#words.look()
      this.afterCommit()
      this.onCommit(transactions)
    })
    this.#commits = new GroupCommit(connections.writer, limits, { statements: this.statements, committed })
  }

  async transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#within(await this.begin({ alone: attempt > 1 }), work)
      } catch (error) {
        if (!(error instanceof RolledBackWithOthersError) || attempt === maxAttempts) throw error
      }
    }
  }

  async #within<T>(member: Member, work: (connection: Connection) => Promise<T>): Promise<T> {
    let result: T
    try {
      result = await this.#scopes.run(member, work, member)
    } catch (error) {
      member.rollback()
      throw error
    }
    await member.commit()
    return result
  }

  get #indexed(): IndexedDatabase {
    const isBusy = () => performance.now() - this.#calledAt < busyMs
    return {
      transaction: async (work) => this.#within(await Member.begin(this.#commits, { alone: true }), work),
      reads: this.reads,
      isBusy,
    }
  }

  get scope(): Scope | undefined {
    return this.#scopes.getStore()
  }

  runIn<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    return this.#scopes.run(scope, work)
  }

  async begin(how = { alone: true }): Promise<Member> {
    this.#refuseNesting()
    this.#calledAt = performance.now()
    return Member.begin(this.#commits, how)
  }

  execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { writer } = this.#connections
    const reads = SelectQueryNode.is(query.query) || (RawNode.is(query.query) && writer.reads(query.sql))
    return reads ? this.#read<R>(query) : this.transaction((connection) => connection.executeQuery<R>(query))
  }

  /** Runs `work` in a transaction on the caller's connection, which waits for those of the storage and of its owner. */
  async transactionOn<T>(theirs: SqliteDatabaseOfCaller, work: (begun: BegunTransaction) => Promise<T>): Promise<T> {
    const connection = new SqliteConnection(theirs, { isOwn: false })
    const begin = () => new BegunTransaction(connection)
    const deadline = performance.now() + this.#limits.busyTimeoutMs
    const begun = await this.#between(() => whenNotBusy(begin, deadline))
    try {
      const result = await this.#scopes.run(begun, work, begun)
      begun.commit()
      return result
    } catch (error) {
      begun.rollback()
      throw error
    }
  }

  async scrub(): Promise<void> {
    await this.#words.mergeAll()
    const deadline = performance.now() + scrubPatienceMs
    while (!(await this.#between(() => this.#truncateLog()))) {
      if (performance.now() >= deadline)
        throw new UnavailableError('The log cannot be emptied while a reader uses it.', { retryAfterSeconds: 10 })
      // It waits outside a turn, because others need a turn to write.
      await setTimeout(scrubPauseMs)
    }
  }

  /** Resolves to false while a reader needs the log. */
  #truncateLog(): boolean {
    return Number(this.#connections.writer.pragma('wal_checkpoint(TRUNCATE)')) === 0
  }

  async close(): Promise<void> {
    this.#refuseNesting()
    this.#closing ??= this.#close()
    await this.#closing
  }

  async #read<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { writer, reader } = this.#connections
    if (reader === null) return this.#between(() => writer.execute<R>(query))
    return whenNotBusy(() => reader.execute<R>(query), performance.now() + this.#limits.busyTimeoutMs)
  }

  async #between<T>(work: () => T | Promise<T>): Promise<T> {
    this.#refuseNesting()
    return this.#commits.between(work)
  }

  async #close(): Promise<void> {
    // Reads do not take turns, so a close cannot wait for them. A running call makes its successive reads within this
    // turn of the event loop.
    await setImmediate(undefined)
    this.#words.close()
    await this.#between(() => {
      this.#connections.reader?.close()
      this.#connections.writer.close()
    })
  }

  #refuseNesting(): void {
    if (this.scope?.isOpen) throw nestedTransaction()
  }
}
