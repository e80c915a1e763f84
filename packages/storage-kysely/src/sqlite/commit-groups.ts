import { UnavailableError } from '@sav/core/ports'
import { DeferredRows } from '../statements/commit-sharing.js'
import type { CompiledStatements } from '../statements/statement.js'
import type { OnCommit } from '../storage/opened-storage.js'
import type { SqliteConnection } from './connection.js'
import { asUnavailable, whenNotBusy } from './errors.js'

export interface GroupLimits {
  /** A group commits when it has this many transactions or has lasted this long, even if others are waiting to join. */
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
 * The transactions waiting for the one writing connection share an outer transaction, and so one fsync. Each member
 * takes its turn, in its own savepoint: it fails alone, and is done once the outer transaction is committed.
 */
export class GroupCommit {
  readonly connection: SqliteConnection
  readonly #limits: GroupLimits
  readonly #statements: CompiledStatements
  readonly #committed: OnCommit
  readonly #otherWriters: OtherWriters
  readonly #waiting: (() => void)[] = []
  #taken = false
  #group: Group | null = null

  constructor(connection: SqliteConnection, limits: GroupLimits, { statements, committed }: GroupCommitOptions) {
    this.connection = connection
    this.#limits = limits
    this.#statements = statements
    this.#committed = committed
    this.#otherWriters = new OtherWriters(connection)
  }

  /** Waits for a turn of the connection, which lasts until `endTurn`, and opens a group if there is none. */
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

  /** Called by a member whose savepoint has ended, by a release or a rollback. */
  endTurn(): void {
    const { maxMembers, maxMs } = this.#limits
    // Groups have one member on a caller's connection, where no transaction may stay open, and in memory.
    const isFull = this.#group !== null && (this.#group.size >= maxMembers || this.#group.lasts >= maxMs)
    if (maxMembers === 1 || isFull) this.#commitAndRest()
    else this.#nextTurn()
  }

  /** Called by a member after an error that ends the outer transaction, and so every member. */
  lose(error: unknown): UnavailableError {
    const lost = lostWith(error)
    if (this.connection.inTransaction) this.connection.run('rollback')
    this.#group?.settle(lost)
    this.#group = null
    return lost
  }

  /** @throws when one of the rows cannot be written */
  write(rows: DeferredRows): void {
    for (const query of rows.queries(this.#statements)) this.connection.execute(query)
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
    // Requests that arrive in this turn of the event loop can still join.
    else if (this.#group !== null) setImmediate(() => this.#taken || this.#commitAndRest())
  }

  /**
   * Keeps the turn unused after the commit, so that another waiting process can have the database. A database in memory
   * has no other process: there everything continues at once, so that a test with its own clock need not wait.
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
 * The whole group was rolled back because of one of its members: a deferred row, or a deferred constraint of the
 * host's.
 */
export class RolledBackWithOthersError extends UnavailableError {}

function lostWith(error: unknown): UnavailableError {
  const unavailable = asUnavailable(error)
  if (unavailable instanceof UnavailableError) return unavailable
  const message = 'The database rolled the transaction back.'
  return new RolledBackWithOthersError(message, { cause: error, retryAfterSeconds: 1 })
}

/** Detects writes by other processes to the same database. */
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
  /** Rows of committed members, to be written with the commit. */
  readonly deferred = new DeferredRows()
  readonly committed: Promise<void>
  readonly settle: (error: UnavailableError | null) => void
  /** The number of committed members. */
  size = 0
  readonly #openedAt = performance.now()

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.committed = promise
    this.settle = (error) => (error === null ? resolve() : reject(error))
    // Perhaps no member waits for this promise, because all of them have rolled back.
    promise.catch(() => {})
  }

  /** How long the group has lasted so far, in milliseconds. */
  get lasts(): number {
    return performance.now() - this.#openedAt
  }
}
