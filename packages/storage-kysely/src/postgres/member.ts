import type { CompiledQuery, QueryResult } from 'kysely'
import { type Batch, type CommitSharing, type DeferredRows, unbatched } from '../statements/commit-sharing.js'
import { type Connection, hasEnded } from '../statements/connection.js'
import type { Group, Groups, ServerTransaction } from './commit-groups.js'
import type { Failure } from './errors.js'

/** How a transaction of a caller ended. */
export type MemberEnd<T> =
  | { readonly kind: 'committed'; readonly result: T }
  | { readonly kind: 'rolled back'; readonly failure: Failure }
  /** It failed because of other members: it runs again, without sharing. */
  | { readonly kind: 'rolled back with others' }

/** One transaction: the connection that a caller's work gets. It begins with the first statement. */
export class Member implements Connection, CommitSharing {
  readonly isTransaction = true
  readonly failsAsWhole = true
  readonly sharing: CommitSharing = this
  readonly #groups: Groups
  readonly #alone: boolean
  #opened: Promise<ServerTransaction> | null = null
  #group: Group | null = null
  #deferred: DeferredRows | null = null
  #isOpen = true

  constructor(groups: Groups, { alone }: { readonly alone: boolean }) {
    this.#groups = groups
    this.#alone = alone
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Waits for a group of this key, whose members could hold the locks that this transaction needs. */
  shareCommit(key: string): Promise<unknown> | undefined {
    if (this.#alone || this.#opened !== null) return undefined
    const ended = this.#groups.ended(key)
    if (ended !== undefined) return ended.then(() => this.shareCommit(key))
    this.#enter(this.#groups.join())
    return undefined
  }

  shareCommitAmong(key: string): void {
    if (this.#alone || (this.#opened !== null && this.#group === null)) return
    this.#group?.leave()
    this.#enter(this.#groups.join(key))
  }

  #enter(group: Group): void {
    this.#group = group
    this.#opened = group.opened
  }

  batched<A, R>(name: string, asked: A, ask: Batch<A, R>): Promise<R> {
    return this.#group === null ? unbatched(asked, ask) : this.#group.batched(name, asked, ask)
  }

  stopSharing(): void {
    if (this.#group !== null) throw new Error('A lock cannot exclude the transactions that share its commit.')
  }

  /**
   * Statements, and the commit after them, are sent in the order of the calls, even if the caller does not await the
   * answers: all of them wait for the same single promise.
   */
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#isOpen) return Promise.reject(hasEnded())
    this.#opened ??= this.#groups.open()
    return this.#opened.then((opened) => opened.executeQuery<R>(query))
  }

  flushDeferred(): Promise<void> | undefined {
    return this.#group?.opened.then((opened) => opened.flushDeferred())
  }

  /**
   * The rows are written together with the commit, whether it is shared or not. So the caller need not wait for an
   * answer.
   */
  deferToCommit(rows: DeferredRows): boolean {
    this.#opened ??= this.#groups.open()
    this.#deferred = rows
    return true
  }

  /** Rejects with the error of `work`, unless that was caused by a conflict, a lost connection, or other members. */
  async run<T>(work: (connection: Connection) => Promise<T>): Promise<MemberEnd<T>> {
    let result: T
    try {
      result = await work(this)
    } catch (error) {
      const failure = await this.#rollback()
      if (failure === 'of others') return { kind: 'rolled back with others' }
      if (failure?.conflict || failure?.lost) return { kind: 'rolled back', failure }
      throw error
    }
    return this.#commit(result)
  }

  async #commit<T>(result: T): Promise<MemberEnd<T>> {
    this.#isOpen = false
    const deferred = this.#deferred
    // If no connection could be opened, the commit reports it.
    if (deferred !== null)
      await this.#opened?.then(
        (opened) => opened.defer(deferred),
        () => {},
      )
    if (this.#group !== null) {
      this.#group.endMember('commit')
      return (await this.#group.ended) ? { kind: 'committed', result } : { kind: 'rolled back with others' }
    }
    const end = await this.#opened?.then((opened) => opened.commit())
    if (end?.kind === 'committed') this.#groups.committed(1)
    if (end?.kind !== 'rolled back' || end.failure === null) return { kind: 'committed', result }
    return { kind: 'rolled back', failure: end.failure }
  }

  async #rollback(): Promise<Failure | 'of others' | null> {
    this.#isOpen = false
    this.#group?.endMember('rollback')
    // Without a connection, nothing has begun.
    const opened = await this.#opened?.catch(() => null)
    if (!opened) return null
    if (this.#group !== null) {
      await this.#group.ended
      return 'of others'
    }
    const end = await opened.rollback()
    return end.kind === 'rolled back' ? end.failure : null
  }
}
