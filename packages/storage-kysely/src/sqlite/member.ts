import type { UnavailableError } from '@sav/core/ports'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { type CommitSharing, DeferredRows, ownCommit } from '../statements/commit-sharing.js'
import { type Connection, hasEnded } from '../statements/connection.js'
import type { Group, GroupCommit } from './commit-groups.js'
import { asUnavailable } from './errors.js'

/** One transaction: a connection that lasts until it is committed or rolled back, in its own savepoint. */
export class Member implements DatabaseConnection, Connection {
  readonly isTransaction = true
  readonly failsAsWhole = false
  readonly sharing: CommitSharing
  readonly #commits: GroupCommit
  readonly #group: Group
  /** This member's own deferred rows, for the commit. */
  #deferred: DeferredRows | null = null
  /** Other members' rows, written in its savepoint so that it can read them. A rollback defers them again. */
  readonly #flushed = new DeferredRows()
  #isOpen = true
  #lost: UnavailableError | null = null

  private constructor(commits: GroupCommit, group: Group, { alone }: { readonly alone: boolean }) {
    this.#commits = commits
    this.#group = group
    this.sharing = {
      ...ownCommit,
      flushDeferred: () => this.#flush(),
      deferToCommit: (rows) => {
        if (!alone) this.#deferred = rows
        return !alone
      },
    }
  }

  /**
   * Begins before its first statement: what its caller writes on the same connection by other means belongs to it as
   * well. If `alone`, it defers no rows to the shared commit, so that a row that cannot be written fails this
   * transaction only.
   * @throws an error that ends the group
   */
  static async begin(commits: GroupCommit, how: { readonly alone: boolean }): Promise<Member> {
    const member = new Member(commits, await commits.begin(), how)
    try {
      commits.connection.run('savepoint member')
    } catch (error) {
      const failure = member.#failed(error)
      member.rollback()
      throw failure
    }
    return member
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** @throws an error that ends the group: it is not this member's fault */
  #flush(): undefined {
    const { deferred } = this.#group
    if (!this.#isOpen || this.#lost !== null || deferred.isEmpty) return
    try {
      this.#commits.write(deferred)
      deferred.moveTo(this.#flushed)
    } catch (error) {
      this.#lost = this.#commits.lose(error)
      throw this.#lost
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#lost !== null) throw this.#lost
    if (!this.#isOpen) throw hasEnded()
    try {
      return this.#commits.connection.execute<R>(query)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  /** Resolves when the group is on disk. */
  async commit(): Promise<void> {
    this.#isOpen = false
    try {
      if (this.#lost !== null) throw this.#lost
      this.#commits.connection.run('release member')
      this.#deferred?.moveTo(this.#group.deferred)
      this.#group.size += 1
    } catch (error) {
      throw this.#lost ?? this.#commits.lose(error)
    } finally {
      this.#commits.endTurn()
    }
    await this.#group.committed
  }

  /** Does nothing after a commit, even a failed one. */
  rollback(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    try {
      if (this.#lost !== null) return
      this.#commits.connection.run('rollback to member')
      this.#commits.connection.run('release member')
      this.#flushed.moveTo(this.#group.deferred)
    } catch (error) {
      this.#commits.lose(error)
    } finally {
      this.#commits.endTurn()
    }
  }

  /** SQLite itself rolls the outer transaction back when the disk is full or fails. */
  #failed(error: unknown): unknown {
    if (this.#lost === null && !this.#commits.connection.inTransaction) this.#lost = this.#commits.lose(error)
    return asUnavailable(error)
  }
}
