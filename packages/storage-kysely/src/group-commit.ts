import { UnavailableError } from '@sav/core/ports'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { Batch } from './batch.js'
import type { CompiledStatements } from './compiled-statements.js'
import { type Connection, hasEnded } from './session.js'
import type { SqliteConnection } from './sqlite-connection.js'
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
  async begin({ alone }: { readonly alone: boolean }): Promise<Member> {
    const deadline = performance.now() + this.#limits.busyTimeoutMs
    await this.#takeTurn()
    try {
      this.#group ??= await this.#openGroup(deadline)
    } catch (error) {
      if (!this.#connection.inTransaction) this.lose(error)
      this.#nextTurn()
      throw asUnavailable(error)
    }
    return new Member(this, { connection: this.#connection, group: this.#group, alone })
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

  /** @throws when one of the rows cannot be written */
  write(rows: Batch): void {
    for (const query of rows.queries(this.#statements)) this.#connection.execute(query)
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
    return new Group()
  }

  #commitGroup(): void {
    const group = this.#group
    if (group === null) return
    this.#group = null
    try {
      this.write(group.left)
      this.#connection.run('commit')
      group.settle(null)
    } catch (error) {
      group.settle(lostWith(error))
      if (this.#connection.inTransaction) this.#connection.run('rollback')
    }
  }
}

/**
 * The whole group was rolled back because of what one of its members had left to be written with the commit: each of
 * them may run again.
 */
export class RolledBackWithOthersError extends UnavailableError {}

function lostWith(error: unknown): UnavailableError {
  const unavailable = asUnavailable(error)
  if (unavailable instanceof UnavailableError) return unavailable
  const message = 'The database rolled the transaction back.'
  return new RolledBackWithOthersError(message, { cause: error, retryAfterSeconds: 1 })
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
  /** Rows to write with the commit, of members that have ended well. */
  left = new Batch()
  readonly committed: Promise<void>
  readonly settle: (error: UnavailableError | null) => void
  readonly #openedAt = performance.now()
  #size = 0

  constructor() {
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

interface MemberOptions {
  readonly connection: SqliteConnection
  readonly group: Group
  /** Whether it leaves nothing to be written with the commit, so that what cannot be written is its own failure. */
  readonly alone: boolean
}

/** One transaction: a connection that lasts until it is committed or rolled back. */
export class Member implements DatabaseConnection, Connection {
  readonly #commits: GroupCommit
  readonly #connection: SqliteConnection
  readonly #group: Group
  readonly #alone: boolean
  #hasBegun = false
  #shares = false
  /** Its own, for the commit. */
  #left: Batch | null = null
  /** Those of others that it had to see: they are written in its savepoint, and gone with that. */
  readonly #seen = new Batch()
  #isOpen = true
  #lost: UnavailableError | null = null

  constructor(commits: GroupCommit, { connection, group, alone }: MemberOptions) {
    this.#commits = commits
    this.#connection = connection
    this.#group = group
    this.#alone = alone
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#lost !== null) throw this.#lost
    if (!this.#isOpen) throw hasEnded()
    try {
      if (!this.#hasBegun) this.#begin()
      return this.#connection.execute<R>(query)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  shareFrom(): void {
    this.#shares = !this.#alone && !this.#hasBegun
  }

  leave(rows: Batch): boolean {
    if (this.#shares) this.#left = rows
    return this.#shares
  }

  seeOthers(): void {
    if (!this.#isOpen || this.#lost !== null || this.#group.left.isEmpty) return
    try {
      if (!this.#hasBegun) this.#begin()
      this.#writeWhatOthersLeft().moveTo(this.#seen)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** Resolves when the group is on disk. */
  async commit(): Promise<void> {
    this.#isOpen = false
    try {
      if (this.#lost !== null) throw this.#lost
      if (this.#hasBegun) this.#connection.run('release member')
      this.#left?.moveTo(this.#group.left)
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
      this.#seen.moveTo(this.#group.left)
    } catch (error) {
      this.#commits.lose(error)
    } finally {
      this.#commits.endTurn()
    }
  }

  /** Who shares the commit need not see what others left for it. Before the savepoint it stays, whatever becomes of this. */
  #begin(): void {
    if (!this.#shares) this.#writeWhatOthersLeft()
    this.#connection.run('savepoint member')
    this.#hasBegun = true
  }

  /** @throws what ends the group: it is not this member's fault */
  #writeWhatOthersLeft(): Batch {
    const { left } = this.#group
    this.#group.left = new Batch()
    try {
      this.#commits.write(left)
      return left
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
