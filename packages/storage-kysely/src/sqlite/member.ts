import type { UnavailableError } from '@sav/core/ports'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { type Batch, type CommitSharing, DeferredRows, unbatched } from '../statements/commit-sharing.js'
import { type Connection, hasEnded } from '../statements/connection.js'
import type { Group, GroupCommit } from './commit-groups.js'
import { asUnavailable } from './errors.js'

/**
 * One transaction: a connection that lasts until it is committed or rolled back. Its methods stand in the order in
 * which a transaction calls them.
 */
export class Member implements DatabaseConnection, Connection, CommitSharing {
  readonly isTransaction = true
  readonly failsAsWhole = false
  readonly sharing: CommitSharing = this
  readonly #commits: GroupCommit
  readonly #group: Group
  readonly #alone: boolean
  #hasBegun = false
  #hasSavepoint = false
  #shares = false
  /** Its own deferred rows, for the commit. */
  #deferred: DeferredRows | null = null
  /** Rows of others, written in its savepoint so that it reads them. A rollback defers them again. */
  readonly #flushed = new DeferredRows()
  #isOpen = true
  #lost: UnavailableError | null = null

  private constructor(commits: GroupCommit, group: Group, { alone }: { readonly alone: boolean }) {
    this.#commits = commits
    this.#group = group
    this.#alone = alone
  }

  /**
   * @param how `alone`: it defers no rows to the shared commit, so that a row that cannot be written is its own
   *   failure. It begins before its first statement: what its caller writes on the same connection by other means
   *   belongs to it as well.
   * @throws an error that ends the group
   */
  static async begin(commits: GroupCommit, how: { readonly alone: boolean }): Promise<Member> {
    const member = new Member(commits, await commits.begin(), how)
    if (how.alone) member.#beginAtOnce()
    return member
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /**
   * The key does not matter: all that wait for the one writer share a commit. The savepoint keeps their statements
   * apart.
   */
  shareCommit(): undefined {
    this.shareCommitAmong()
  }

  shareCommitAmong(): void {
    this.#shares = !this.#alone && !this.#hasBegun
  }

  /** The writes of one go with the rollback of its savepoint, so each asks for itself. */
  batched<A, R>(_: string, asked: A, ask: Batch<A, R>): Promise<R> {
    return unbatched(asked, ask)
  }

  /** SQLite has one writer: no locks are needed. */
  stopSharing(): void {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#lost !== null) throw this.#lost
    if (!this.#isOpen) throw hasEnded()
    try {
      if (!this.#hasBegun) this.#begin()
      return this.#commits.connection.execute<R>(query)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  flushDeferred(): undefined {
    if (!this.#isOpen || this.#lost !== null || this.#group.deferred.isEmpty) return
    try {
      if (!this.#hasBegun) this.#begin()
      this.#writeDeferred().moveTo(this.#flushed)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  deferToCommit(rows: DeferredRows): boolean {
    if (this.#shares) this.#deferred = rows
    return this.#shares
  }

  /** Resolves when the group is on disk. */
  async commit(): Promise<void> {
    this.#isOpen = false
    try {
      if (this.#lost !== null) throw this.#lost
      if (this.#hasSavepoint) this.#commits.connection.run('release member')
      this.#deferred?.moveTo(this.#group.deferred)
      this.#group.join({ runsAgain: !this.#alone })
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
      if (this.#hasSavepoint) {
        this.#commits.connection.run('rollback to member')
        this.#commits.connection.run('release member')
        this.#flushed.moveTo(this.#group.deferred)
      } else this.#commits.loseGroup()
    } catch (error) {
      this.#commits.lose(error)
    } finally {
      this.#commits.endTurn()
    }
  }

  #beginAtOnce(): void {
    try {
      this.#begin()
    } catch (error) {
      this.rollback()
      throw this.#failed(error)
    }
  }

  /**
   * The rows that others deferred are written first, outside the savepoint, so that a rollback keeps them; unless this
   * one defers too.
   */
  #begin(): void {
    if (!this.#shares) this.#writeDeferred()
    this.#hasSavepoint = !this.#shares || !this.#commits.isConfident || !this.#group.runsAgain
    if (this.#hasSavepoint) this.#commits.connection.run('savepoint member')
    this.#hasBegun = true
  }

  /** @throws an error that ends the group: it is not this member's fault */
  #writeDeferred(): DeferredRows {
    const { deferred } = this.#group
    this.#group.deferred = new DeferredRows()
    try {
      this.#commits.write(deferred)
      return deferred
    } catch (error) {
      this.#lost = this.#commits.lose(error)
      throw this.#lost
    }
  }

  #failed(error: unknown): unknown {
    if (this.#lost === null && !this.#commits.connection.inTransaction) this.#lost = this.#commits.lose(error)
    return asUnavailable(error)
  }
}
