import { setImmediate, setTimeout } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import {
  type AskTogether,
  askAlone,
  type CommitSharing,
  type Connection,
  hasEnded,
  Questions,
} from '../statements/connection.js'
import type { DeferredRows } from '../statements/deferred-rows.js'
import type { OnCommit } from '../storage/opened-storage.js'
import type { Failure } from './errors.js'
import type { End } from './transaction.js'

/** A transaction of the server. */
export interface Opened {
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>>
  /** Rows to write at the next `flushDeferred`, or with the commit. */
  defer(rows: DeferredRows): void
  flushDeferred(): void
  /** Never in doubt. */
  commit(): Promise<Exclude<End, { readonly kind: 'in doubt' }>>
  rollback(): Promise<Exclude<End, { readonly kind: 'in doubt' }>>
}

/** How a transaction of a caller's ended. */
export type MemberEnd<T> =
  | { readonly kind: 'committed'; readonly result: T }
  | { readonly kind: 'rolled back'; readonly failure: Failure }
  /** For no fault of its own: it has to run again, and shares nothing then. */
  | { readonly kind: 'rolled back with others' }

/** A group takes no more members after so many: who comes later takes the next one. */
const maxMembers = 64

/**
 * A group begins when the one before it has ended, so that all who come meanwhile share it, and find the counters of that one
 * free; at the latest after so long, which is when something holds that one up.
 */
const maxGatherMs = 250

/**
 * One transaction of the server, shared by callers that begin by asking for the same together. What they ask for goes to
 * the server at once, and one commit is for all. Where anything fails, all of it is rolled back, and each runs again alone.
 */
class Group {
  readonly opened: Promise<Opened>
  readonly #end = Promise.withResolvers<boolean>()
  readonly #questions = new Questions()
  readonly #committed: OnCommit
  #joined = 0
  #left = 0
  #present = 0
  #hasAsked = false
  #failed = false

  constructor(opened: Promise<Opened>, committed: OnCommit) {
    this.opened = opened
    this.#committed = committed
    opened.catch(() => {})
  }

  /** To whether it is committed. */
  get ended(): Promise<boolean> {
    return this.#end.promise
  }

  /**
   * False when it takes no more: once it has asked for something. So it takes its numbers in one statement, and holds none
   * while it asks for others: no two groups wait for each other.
   */
  join(): boolean {
    const isFull = this.#joined === maxMembers || this.#hasAsked
    if (isFull || this.#failed || (this.#joined > 0 && this.#present === 0)) return false
    this.#joined += 1
    this.#present += 1
    return true
  }

  /** As `CommitSharing.together`: a row that counts is written once for all, and rows are added by one statement. */
  together<A, R>(name: string, asked: A, ask: AskTogether<A, R>): Promise<R> {
    return this.#questions.together(name, asked, { ask, turn: this.#turn })
  }

  readonly #turn = async () => {
    await this.opened
    await setImmediate()
    this.#hasAsked = true
  }

  /** A member has ended; the last one ends the transaction. */
  endMember(how: 'commit' | 'rollback'): void {
    if (how === 'rollback') this.#failed = true
    this.#present -= 1
    if (this.#present === 0) this.#finish().then(this.#end.resolve, this.#end.reject)
  }

  /** A member goes to another group, with nothing done here. */
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

/** Under which those stand that share a commit with anybody: no key of theirs is empty. */
const anybody = ''

/** The latest group of each key, while it goes on. */
export class Groups {
  readonly #open: () => Promise<Opened>
  readonly #groups = new Map<string, Group>()
  readonly committed: OnCommit

  constructor(open: () => Promise<Opened>, committed: OnCommit) {
    this.#open = open
    this.committed = committed
  }

  open(): Promise<Opened> {
    return this.#open()
  }

  /** Undefined when there is none. */
  ended(key: string): Promise<unknown> | undefined {
    return this.#groups.get(key)?.ended.catch(() => {})
  }

  join(key = anybody): Group {
    const known = this.#groups.get(key)
    if (known?.join()) return known
    const opened = known === undefined ? this.#open() : after(known).then(() => this.#open())
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

/** What a caller's work is given. It begins with the first statement. */
export class Member implements Connection, CommitSharing {
  readonly isTransaction = true
  readonly failsAsWhole = true
  readonly sharing: CommitSharing = this
  readonly #groups: Groups
  readonly #alone: boolean
  #opened: Promise<Opened> | null = null
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

  /**
   * Statements, and the commit behind them, go to the server in the order in which they are asked for, also where nobody
   * waits for the answer: all of them wait for the same promise, and none of them for another one.
   */
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#isOpen) return Promise.reject(hasEnded())
    this.#opened ??= this.#groups.open()
    return this.#opened.then((opened) => opened.executeQuery<R>(query))
  }

  /** Among others, those who share a commit among the key would hold what it asks for. */
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

  together<A, R>(name: string, asked: A, ask: AskTogether<A, R>): Promise<R> {
    return this.#group === null ? askAlone(asked, ask) : this.#group.together(name, asked, ask)
  }

  stopSharing(): void {
    if (this.#group !== null) throw new Error('A lock keeps nobody out of the transaction that it shares with others.')
  }

  flushDeferred(): Promise<void> | undefined {
    return this.#group?.opened.then((opened) => opened.flushDeferred())
  }

  /** Written with the commit in one go, shared or not: nobody waits for the answer. */
  deferToCommit(rows: DeferredRows): boolean {
    this.#opened ??= this.#groups.open()
    this.#deferred = rows
    return true
  }

  /** Rejects with what `work` threw, unless it threw because of a conflict, a lost connection, or of others. */
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
    // Where nothing could be opened, the commit says so.
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
    // Rejected when no connection could be had: nothing has begun then.
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
