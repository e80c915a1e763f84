import { UnavailableError } from '../errors.js'
import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { firstIdAt, timeOfId } from '../values/ids.js'
import type { StoredEvent } from './event-store.js'

/** News for a listener, sent at the beginning and then about once a second. */
export interface LiveNews {
  /** Events that the listener has not had before, by id. Usually there are none. */
  readonly events: readonly StoredEvent[]
  /** Whether there may be more events than `events`: the page must then read the store again. */
  readonly missed: boolean
  /** The position to continue from. Pass it as `after` to a later `listen`. */
  readonly position: string
}

/** What receives news. */
export interface LiveListener {
  readonly tell: (news: LiveNews) => void
  /**
   * Called last. The reason: the service stops, the caller or account has too many listeners, or a newer listener
   * replaces this one.
   */
  readonly ended: (why: 'closing' | 'too_many' | 'replaced') => void
}

/** The caller that listens. */
export interface LiveCaller {
  readonly account_id: string
  /** The id of a key, a session, or a caller that a host named. */
  readonly id: string
  /** Whether the caller's newest listener replaces its earlier ones, as for a browser that has left a page. */
  readonly alone: boolean
}

/** Begins to send news to the listener. The returned function stops the sending. */
export type Subscribe = (listener: LiveListener) => () => void

/**
 * The events of an account as they happen, for open pages. They are hints that may be missed; webhooks are reliable.
 */
export interface Live {
  /**
   * Sends events of every kind, from every process, each within about a second of its commit. An event that is
   * committed more than 10 s after it was written is missing. Resolves to a function that begins to send. It sends
   * events from `after` on (a position or an event's id), if that is at most 30 s ago; some may be repeated. Resolves
   * to null when the account (250) or the caller (100) has too many listeners in this process.
   * @throws UnavailableError, also after `close`
   */
  listen(caller: LiveCaller, after?: string): Promise<Subscribe | null>
  /** Ends all listeners, and accepts no new ones. */
  close(): void
}

const lookEveryMs = 1000
/** The shortest time between two reads caused by commits. */
const minGapMs = 100
/**
 * How far before the last read each read begins. Some time passes between the writing of an event and its commit, and
 * the clocks of two processes differ.
 */
const overlapMs = 10_000
const replayMs = 30_000
/** The most rows of one read. */
const maxRows = 1000
const maxOfAccount = 250
const maxOfCaller = 100

interface Connection {
  readonly caller: LiveCaller
  readonly listener: LiveListener
  /** Ids of events that the listener has had, or that are older than it. The next read may find them again. */
  known: ReadonlySet<string>
}

/** An account with listeners. */
interface ConnectedAccount {
  readonly connections: Set<Connection>
  /** When the store was last read for the account. */
  lookedAt: number
}

export interface LiveDeps {
  readonly storage: Pick<Storage, 'reads' | 'queue'>
  readonly clock: Clock
  /** Whether listeners get the event. They get no events about letters. */
  readonly isTold: (event: StoredEvent) => boolean
  /** Called when a read failed. The next one catches up. */
  readonly fault: (error: unknown) => void
}

const idsOf = (events: readonly StoredEvent[]): ReadonlySet<string> => new Set(events.map(({ id }) => id))
const positionAt = (ms: number) => firstIdAt('evt', ms)

export function createLive({ storage, clock, isTold, fault }: LiveDeps): Live {
  const { reads, queue } = storage
  const accounts = new Map<string, ConnectedAccount>()
  let unwatch: (() => void) | null = null
  let cancel = () => {}
  let isLooking = false
  let isAsked = false
  let lastRound = 0
  let isClosed = false

  const since = (account_id: string, ms: number) =>
    reads.events.since(account_id, positionAt(Math.max(0, ms - overlapMs)), maxRows)

  function isFull({ account_id, id, alone }: LiveCaller): boolean {
    const connections = [...(accounts.get(account_id)?.connections ?? [])]
    const own = connections.filter(({ caller }) => caller.id === id).length
    return alone ? connections.length - own >= maxOfAccount : connections.length >= maxOfAccount || own >= maxOfCaller
  }

  async function look(account_id: string, account: ConnectedAccount): Promise<void> {
    const at = clock.now()
    const rows = await since(account_id, Math.min(at, account.lookedAt))
    account.lookedAt = at
    const live = rows.filter(isTold)
    const known = idsOf(rows)
    for (const connection of account.connections) {
      const events = live.filter(({ id }) => !connection.known.has(id))
      connection.known = known
      connection.listener.tell({ events, missed: rows.length === maxRows, position: positionAt(at) })
    }
  }

  async function round(): Promise<void> {
    isLooking = true
    isAsked = false
    for (const [account_id, account] of accounts) await look(account_id, account).catch(fault)
    isLooking = false
    lastRound = clock.now()
    if (accounts.size > 0) schedule(isAsked ? minGapMs : lookEveryMs)
  }

  function schedule(delayMs: number): void {
    cancel()
    cancel = clock.after(delayMs, round)
  }

  /** Called after each commit that left something due, since some account then has a new event. */
  function ask(): void {
    if (isAsked) return
    isAsked = true
    if (!isLooking) schedule(Math.max(0, lastRound + minGapMs - clock.now()))
  }

  function add(connection: Connection, lookedAt: number): void {
    const { account_id } = connection.caller
    const account = accounts.get(account_id) ?? { connections: new Set(), lookedAt }
    account.connections.add(connection)
    accounts.set(account_id, account)
    if (unwatch !== null) return
    unwatch = queue.watch(ask)
    if (!isLooking) schedule(lookEveryMs)
  }

  function remove(connection: Connection): void {
    const { account_id } = connection.caller
    const account = accounts.get(account_id)
    account?.connections.delete(connection)
    if (account?.connections.size === 0) accounts.delete(account_id)
    if (accounts.size > 0) return
    unwatch?.()
    unwatch = null
    cancel()
  }

  function replaceOthers({ account_id, id, alone }: LiveCaller): void {
    if (!alone) return
    for (const connection of accounts.get(account_id)?.connections ?? []) {
      if (connection.caller.id !== id) continue
      remove(connection)
      connection.listener.ended('replaced')
    }
  }

  return {
    async listen(caller, after) {
      const { account_id } = caller
      if (isClosed) throw new UnavailableError('The service is closing.', { retryAfterSeconds: 1 })
      if (isFull(caller)) return null
      const at = clock.now()
      const asked = after === undefined ? at : (timeOfId('evt', after) ?? 0)
      const isTooLong = asked < at - replayMs
      const from = isTooLong ? at : Math.min(at, asked)
      const rows = await since(account_id, Math.min(from, accounts.get(account_id)?.lookedAt ?? at))
      return (listener) => {
        const refusal = isClosed ? 'closing' : isFull(caller) ? 'too_many' : null
        if (refusal !== null) {
          listener.ended(refusal)
          return () => {}
        }
        replaceOthers(caller)
        const connection = { caller, listener, known: idsOf(rows) }
        add(connection, at)
        const again = after !== undefined && !isTooLong
        const missed = isTooLong || (again && rows.length === maxRows)
        listener.tell({ events: again ? rows.filter(isTold) : [], missed, position: positionAt(at) })
        return () => remove(connection)
      }
    },
    close() {
      isClosed = true
      for (const { connections } of [...accounts.values()])
        for (const connection of [...connections]) {
          remove(connection)
          connection.listener.ended('closing')
        }
    },
  }
}
