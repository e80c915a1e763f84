import { setImmediate, setTimeout } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import { type Batch, Batches, type DeferredRows } from '../statements/commit-sharing.js'
import type { OnCommit } from '../storage/opened-storage.js'
import type { End } from './transaction.js'

/** A transaction of the server. */
export interface ServerTransaction {
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>>
  /** Rows to write at the next `flushDeferred`, or with the commit. */
  defer(rows: DeferredRows): void
  flushDeferred(): void
  /** The outcome is always known. */
  commit(): Promise<Exclude<End, { readonly kind: 'in doubt' }>>
  rollback(): Promise<Exclude<End, { readonly kind: 'in doubt' }>>
}

/** The most callers in one group; later ones join the next group. */
const maxMembers = 64

/**
 * The longest time that a group waits for the previous one. It usually begins when that one has ended, so that all
 * callers who arrive meanwhile share it and find its counters free.
 */
const maxGatherMs = 250

/**
 * One transaction of the server, shared by callers that begin with the same query. Their queries are sent at once, and
 * one commit serves all. If anything fails, everything is rolled back, and each caller runs again alone.
 */
export class Group {
  readonly opened: Promise<ServerTransaction>
  readonly #end = Promise.withResolvers<boolean>()
  readonly #batches = new Batches()
  readonly #committed: OnCommit
  #joined = 0
  #left = 0
  #present = 0
  #hasAsked = false
  #failed = false

  constructor(opened: Promise<ServerTransaction>, committed: OnCommit) {
    this.opened = opened
    this.#committed = committed
    opened.catch(() => {})
  }

  /** Resolves to whether the group was committed. */
  get ended(): Promise<boolean> {
    return this.#end.promise
  }

  /**
   * False once the group is full or has sent a query. So a group takes all its numbers in one statement, and no two
   * groups wait for each other.
   */
  join(): boolean {
    const isFull = this.#joined === maxMembers || this.#hasAsked
    if (isFull || this.#failed || (this.#joined > 0 && this.#present === 0)) return false
    this.#joined += 1
    this.#present += 1
    return true
  }

  /** Like `CommitSharing.batched`: a counter is written once for all, and one statement adds the rows. */
  batched<A, R>(name: string, asked: A, ask: Batch<A, R>): Promise<R> {
    return this.#batches.batched(name, asked, { ask, turn: this.#turn })
  }

  readonly #turn = async () => {
    await this.opened
    await setImmediate()
    this.#hasAsked = true
  }

  /** Called when a member has ended. The last one ends the transaction. */
  endMember(how: 'commit' | 'rollback'): void {
    if (how === 'rollback') this.#failed = true
    this.#present -= 1
    if (this.#present === 0) this.#finish().then(this.#end.resolve, this.#end.reject)
  }

  /** Called by a member that changes groups, which is possible before its first statement. */
  leave(): void {
    this.#left += 1
    this.endMember('commit')
  }

  async #finish(): Promise<boolean> {
    const opened = await this.opened
    const { kind } = await (this.#failed ? opened.rollback() : opened.commit())
    const stayed = this.#joined - this.#left
    if (kind === 'committed' && stayed > 0) this.#committed(stayed)
    return kind === 'committed'
  }
}

/** The key of members that share a commit with any others. */
const anybody = ''

/** The current group of each key, until it ends. */
export class Groups {
  readonly open: () => Promise<ServerTransaction>
  readonly #groups = new Map<string, Group>()
  readonly committed: OnCommit

  constructor(open: () => Promise<ServerTransaction>, committed: OnCommit) {
    this.open = open
    this.committed = committed
  }

  /** Resolves when the current group of `key` has ended; undefined if there is none. */
  ended(key: string): Promise<unknown> | undefined {
    return this.#groups.get(key)?.ended.catch(() => {})
  }

  join(key = anybody): Group {
    const known = this.#groups.get(key)
    if (known?.join()) return known
    const opened = known === undefined ? this.open() : after(known).then(this.open)
    const group = new Group(opened, this.committed)
    group.join()
    this.#groups.set(key, group)
    const forget = () => {
      if (this.#groups.get(key) === group) this.#groups.delete(key)
    }
    group.ended.then(forget, forget)
    return group
  }
}

async function after({ ended }: Group): Promise<void> {
  const timer = new AbortController()
  const waited = setTimeout(maxGatherMs, undefined, { signal: timer.signal })
  await Promise.race([ended, waited]).catch(() => {})
  timer.abort()
  await waited.catch(() => {})
}
