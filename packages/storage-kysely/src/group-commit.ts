import { UnavailableError } from '@sav/core/ports'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { Batch } from './batch.js'
import type { CompiledStatements, Connection } from './session.js'
import type { SqliteConnection } from './sqlite-connection.js'
import type { Cells, RowsStatement } from './statement.js'
import { asUnavailable, whenNotBusy } from './unavailable.js'

export interface GroupLimits {
  /** After so many transactions, or so long, a group is committed though others wait to join it. */
  readonly mostMembers: number
  readonly longestMs: number
  /** How long a transaction waits for other processes. */
  readonly busyTimeoutMs: number
}

/**
 * Lets transactions that wait for the one writing connection share one commit, and so one fsync. Each runs alone, in a
 * savepoint of its own inside one outer transaction; it has ended well once the outer one is committed, and fails alone.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection
  readonly #limits: GroupLimits
  readonly #statements: CompiledStatements
  readonly #otherWriters: OtherWriters
  readonly #waiting: (() => void)[] = []
  #taken = false
  #group: Group | null = null

  constructor(connection: SqliteConnection, limits: GroupLimits, statements: CompiledStatements) {
    this.#connection = connection
    this.#limits = limits
    this.#statements = statements
    this.#otherWriters = new OtherWriters(connection)
  }

  /** Waits for its turn; the turn lasts until the member's `commit` or `rollback`. */
  async begin(): Promise<Member> {
    const deadline = performance.now() + this.#limits.busyTimeoutMs
    await this.#takeTurn()
    try {
      this.#group ??= await this.#openGroup(deadline)
    } catch (error) {
      if (!this.#connection.inTransaction) this.lose(error)
      this.#nextTurn()
      throw asUnavailable(error)
    }
    return new Member(this, this.#connection, { group: this.#group, batch: new Batch(this.#statements) })
  }

  /** Runs `work` on the connection between two transactions, with everything before it committed. */
  async between<T>(work: () => T): Promise<T> {
    await this.#takeTurn()
    try {
      this.#commitGroup()
      return work()
    } catch (error) {
      throw asUnavailable(error)
    } finally {
      this.#nextTurn()
    }
  }

  /** Called by a member whose savepoint is gone, one way or the other. */
  endTurn(): void {
    const { mostMembers, longestMs } = this.#limits
    if (this.#group?.isFull(mostMembers, longestMs)) this.#commitAndRest()
    else this.#nextTurn()
  }

  /**
   * Called by a member after an error that ends the outer transaction, and every member with it. SQLite rolls it back by
   * itself when the disk is full or fails.
   */
  lose(error: unknown): UnavailableError {
    const lost = lostWith(error)
    if (this.#connection.inTransaction) this.#connection.run('rollback')
    this.#group?.settle(lost)
    this.#group = null
    return lost
  }

  async #takeTurn(): Promise<void> {
    if (this.#taken) return new Promise((resolve) => this.#waiting.push(resolve))
    this.#taken = true
  }

  #nextTurn(): void {
    const next = this.#waiting.shift()
    this.#taken = next !== undefined
    if (next !== undefined) next()
    // Requests that arrive in this turn of the event loop still join.
    else if (this.#group !== null) setImmediate(() => this.#taken || this.#commitAndRest())
  }

  /** Keeps the turn after the commit, unused, so that another process which waits for the database can have it. */
  #commitAndRest(): void {
    this.#taken = true
    this.#commitGroup()
    const nextTurn = () => this.#nextTurn()
    if (this.#otherWriters.seenWithin(1000)) setTimeout(nextTurn, 2)
    else setImmediate(nextTurn)
  }

  async #openGroup(deadline: number): Promise<Group> {
    await whenNotBusy(() => this.#connection.run('begin immediate'), deadline)
    this.#otherWriters.look()
    return new Group(new Batch(this.#statements))
  }

  #commitGroup(): void {
    const group = this.#group
    if (group === null) return
    this.#group = null
    try {
      for (const query of group.batch.take()) this.#connection.execute(query)
      this.#connection.run('commit')
      group.settle(null)
    } catch (error) {
      group.settle(lostWith(error))
      if (this.#connection.inTransaction) this.#connection.run('rollback')
    }
  }
}

function lostWith(error: unknown): UnavailableError {
  const unavailable = asUnavailable(error)
  if (unavailable instanceof UnavailableError) return unavailable
  return new UnavailableError('The database rolled the transaction back.', { cause: error, retryAfterSeconds: 1 })
}

/** Notices when other processes write to the same database. */
class OtherWriters {
  readonly #connection: SqliteConnection
  #version: unknown
  #seenAt = Number.NEGATIVE_INFINITY

  constructor(connection: SqliteConnection) {
    this.#connection = connection
    this.#version = connection.dataVersion
  }

  look(): void {
    const version = this.#connection.dataVersion
    if (version !== this.#version) this.#seenAt = performance.now()
    this.#version = version
  }

  seenWithin(ms: number): boolean {
    return performance.now() - this.#seenAt < ms
  }
}

/** Everything that one outer transaction commits. */
class Group {
  /** Rows of members that have ended well. */
  readonly batch: Batch
  readonly committed: Promise<void>
  readonly settle: (error: UnavailableError | null) => void
  readonly #openedAt = performance.now()
  #size = 0

  constructor(batch: Batch) {
    this.batch = batch
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.committed = promise
    this.settle = (error) => (error === null ? resolve() : reject(error))
    // Nobody may be waiting: every member may have rolled back.
    promise.catch(() => {})
  }

  join(): void {
    this.#size += 1
  }

  isFull(mostMembers: number, longestMs: number): boolean {
    return this.#size >= mostMembers || performance.now() - this.#openedAt >= longestMs
  }
}

/** One transaction: a connection that lasts until it is committed or rolled back. */
export class Member implements DatabaseConnection, Connection {
  readonly #commits: GroupCommit
  readonly #connection: SqliteConnection
  readonly #group: Group
  readonly #batch: Batch
  #hasBegun = false
  #shares = false
  #isOpen = true
  #lost: UnavailableError | null = null

  constructor(
    commits: GroupCommit,
    connection: SqliteConnection,
    { group, batch }: { readonly group: Group; readonly batch: Batch },
  ) {
    this.#commits = commits
    this.#connection = connection
    this.#group = group
    this.#batch = batch
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#check()
    try {
      if (!this.#hasBegun) this.#begin()
      return this.#connection.execute<R>(query)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** From here on it writes rows with the commit, and sees none of those that others left to be written then. */
  shareFrom(): void {
    if (!this.#hasBegun) this.#shares = true
  }

  async later<C extends string>(statement: RowsStatement<C, unknown>, rows: readonly Cells<C>[]): Promise<void> {
    this.#check()
    this.#batch.add(statement, rows)
    if (!this.#shares) await this.flush()
  }

  async flush(): Promise<void> {
    for (const query of this.#batch.take()) await this.executeQuery(query)
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  /** Resolves when the group is on disk. */
  async commit(): Promise<void> {
    this.#isOpen = false
    try {
      if (this.#lost !== null) throw this.#lost
      if (this.#hasBegun) this.#connection.run('release member')
      this.#batch.moveTo(this.#group.batch)
      this.#group.join()
    } catch (error) {
      throw this.#lost ?? this.#commits.lose(error)
    } finally {
      this.#commits.endTurn()
    }
    await this.#group.committed
  }

  /** Does nothing after a commit, even one that failed. */
  rollback(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    try {
      if (this.#lost !== null || !this.#hasBegun) return
      this.#connection.run('rollback to member')
      this.#connection.run('release member')
    } catch (error) {
      this.#commits.lose(error)
    } finally {
      this.#commits.endTurn()
    }
  }

  #check(): void {
    if (this.#lost !== null) throw this.#lost
    if (!this.#isOpen) throw new Error('This transaction has ended: nothing can be read or written through it.')
  }

  #begin(): void {
    if (!this.#shares) this.#writeWhatOthersLeft()
    this.#connection.run('savepoint member')
    this.#hasBegun = true
  }

  /** Before the savepoint, so that it stays when this one rolls back. */
  #writeWhatOthersLeft(): void {
    try {
      for (const query of this.#group.batch.take()) this.#connection.execute(query)
    } catch (error) {
      this.#lost = this.#commits.lose(error)
      throw this.#lost
    }
  }

  #failed(error: unknown): unknown {
    if (this.#lost === null && !this.#connection.inTransaction) this.#lost = this.#commits.lose(error)
    return asUnavailable(error)
  }
}
