import { UnavailableError } from '@sav/core/ports'
import { DeferredRows } from '../statements/commit-sharing.js'
import type { CompiledStatements } from '../statements/statement.js'
import type { OnCommit } from '../storage/opened-storage.js'
import type { SqliteConnection } from './connection.js'
import { asUnavailable, whenNotBusy } from './errors.js'

export interface GroupLimits {
  /** A group is committed after so many transactions, or so long, even if others wait to join it. */
  readonly maxMembers: number
  readonly maxMs: number
  /** How long a transaction waits for other processes. */
  readonly busyTimeoutMs: number
}

export interface GroupCommitOptions {
  readonly statements: CompiledStatements
  /** Called after each commit, with the number of transactions that shared it. */
  readonly committed: OnCommit
}

/**
 * How long each member gets a savepoint after a group was lost. A member without a savepoint takes its whole group with
 * it when it is rolled back: a caller that can make transactions fail at will must not make those of others run twice
 * again and again.
 */
const carefulMs = 1000

/**
 * The transactions that wait for the one writing connection share an outer transaction, and so one fsync. Each member
 * takes its turn, in a savepoint of its own: it fails alone, and is done once the outer transaction is committed.
 * Members that defer rows hardly ever fail, and have no savepoint, which took a tenth of a creation's time. Where one
 * of them fails, the group is rolled back, and the others run again.
 */
export class GroupCommit {
  readonly connection: SqliteConnection
  readonly #limits: GroupLimits
  readonly #statements: CompiledStatements
  readonly #committed: OnCommit
  readonly #otherWriters: OtherWriters
  readonly #waiting: (() => void)[] = []
  #taken = false
  /** The instant until which each member gets a savepoint, by `performance.now()`. */
  #carefulUntil = 0
  #group: Group | null = null

  constructor(connection: SqliteConnection, limits: GroupLimits, { statements, committed }: GroupCommitOptions) {
    this.connection = connection
    this.#limits = limits
    this.#statements = statements
    this.#committed = committed
    this.#otherWriters = new OtherWriters(connection)
  }

  /** Waits for a turn of the connection, which lasts until `endTurn`, and opens a group where there is none. */
  async begin(): Promise<Group> {
    const deadline = this.#deadline()
    await this.#takeTurn()
    try {
      this.#group ??= await this.#openGroup(deadline)
      return this.#group
    } catch (error) {
      if (!this.connection.inTransaction) this.lose(error)
      this.#nextTurn()
      throw asUnavailable(error)
    }
  }

  /** Runs `work` on the connection between two transactions, when everything before it is committed. */
  async between<T>(work: () => T | Promise<T>): Promise<T> {
    const deadline = this.#deadline()
    await this.#takeTurn()
    try {
      this.#commitGroup()
      await whenNotBusy(() => this.connection.refuseWhileTaken(), deadline)
      return await work()
    } catch (error) {
      throw asUnavailable(error)
    } finally {
      this.#nextTurn()
    }
  }

  /** Whether a member may do without a savepoint. */
  get isConfident(): boolean {
    return performance.now() >= this.#carefulUntil
  }

  /** Called by a member that has no savepoint and has to be rolled back. */
  loseGroup(): void {
    if (this.#group !== null && this.#group.size > 0) this.#carefulUntil = performance.now() + carefulMs
    this.lose(lostWith('another transaction of the group failed'))
  }

  /** Called by a member whose savepoint has ended, by a release or a rollback. */
  endTurn(): void {
    const { maxMembers, maxMs } = this.#limits
    // A group of one is on a connection of the caller, who must not find a transaction open.
    if (maxMembers === 1 || this.#group?.isFull(maxMembers, maxMs)) this.#commitAndRest()
    else this.#nextTurn()
  }

  /** @throws when one of the rows cannot be written */
  write(rows: DeferredRows): void {
    for (const query of rows.queries(this.#statements)) this.connection.execute(query)
  }

  /**
   * Called by a member after an error that ends the outer transaction, and every member with it. SQLite rolls it back by
   * itself when the disk is full or fails.
   */
  lose(error: unknown): UnavailableError {
    const lost = lostWith(error)
    if (this.connection.inTransaction) this.connection.run('rollback')
    this.#group?.settle(lost)
    this.#group = null
    return lost
  }

  #deadline(): number {
    return performance.now() + this.#limits.busyTimeoutMs
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

  /**
   * Keeps the turn after the commit, unused, so that another process that waits for the database can have it. A
   * database in memory has no other process: there everything goes on at once, so that a test with a clock of its own
   * need not wait.
   */
  #commitAndRest(): void {
    this.#taken = true
    this.#commitGroup()
    const nextTurn = () => this.#nextTurn()
    if (this.connection.isInMemory) nextTurn()
    else if (this.#otherWriters.wroteWithin(1000)) setTimeout(nextTurn, 2)
    else setImmediate(nextTurn)
  }

  async #openGroup(deadline: number): Promise<Group> {
    await whenNotBusy(() => {
      this.connection.refuseWhileTaken()
      this.connection.run('begin immediate')
    }, deadline)
    this.#otherWriters.look()
    return new Group()
  }

  #commitGroup(): void {
    const group = this.#group
    if (group === null) return
    this.#group = null
    try {
      this.write(group.deferred)
      this.connection.run('commit')
      group.settle(null)
      this.#committed(group.size)
    } catch (error) {
      group.settle(lostWith(error))
      if (this.connection.inTransaction) this.connection.run('rollback')
    }
  }
}

/**
 * The whole group was rolled back because of the rows that one of its members had deferred to the commit. Each of them
 * may run again.
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
  #wroteAt = Number.NEGATIVE_INFINITY

  constructor(connection: SqliteConnection) {
    this.#connection = connection
    this.#version = connection.dataVersion
  }

  look(): void {
    const version = this.#connection.dataVersion
    if (version !== this.#version) this.#wroteAt = performance.now()
    this.#version = version
  }

  wroteWithin(ms: number): boolean {
    return performance.now() - this.#wroteAt < ms
  }
}

/** Everything that one outer transaction commits. */
export class Group {
  /** Rows of members that have ended well, to write with the commit. */
  deferred = new DeferredRows()
  readonly committed: Promise<void>
  readonly settle: (error: UnavailableError | null) => void
  readonly #openedAt = performance.now()
  #size = 0
  #runsAgain = true

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.committed = promise
    this.settle = (error) => (error === null ? resolve() : reject(error))
    // No member may wait for it: all of them may have rolled back.
    promise.catch(() => {})
  }

  join({ runsAgain }: { readonly runsAgain: boolean }): void {
    this.#size += 1
    if (!runsAgain) this.#runsAgain = false
  }

  /** Whether each of its members could run again after a rollback. */
  get runsAgain(): boolean {
    return this.#runsAgain
  }

  /** The number of members that have ended well. */
  get size(): number {
    return this.#size
  }

  isFull(maxMembers: number, maxMs: number): boolean {
    return this.#size >= maxMembers || performance.now() - this.#openedAt >= maxMs
  }
}
