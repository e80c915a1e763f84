import { type EventKind, eventKinds } from '@sav/webhook-verify/events'
import { UnavailableError } from '../errors.js'
import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { firstIdAt, timeOfId } from '../values/ids.js'
import type { StoredEvent } from './event-store.js'

/** A committed event, with the exact text that webhooks are sent. */
export interface LiveEvent extends StoredEvent {
  readonly event: EventKind
}

/** What a listener is told: at its beginning, and about once a second from then on. */
export interface LiveNews {
  /** None that it was told before, by id; usually none at all. */
  readonly events: readonly LiveEvent[]
  /** Whether there may be more than `events`: a page that is kept up to date by them has to read the store again. */
  readonly missed: boolean
  /** Where it goes on from here: `after` of a later `listen`. */
  readonly position: string
}

/** Whom news are told to. */
export interface LiveListener {
  readonly tell: (news: LiveNews) => void
  /** The last that it hears: the service stops, there are too many of its kind, or a newer one has taken its place. */
  readonly ended: (why: 'closing' | 'too_many' | 'replaced') => void
}

/** Who listens. */
export interface LiveCaller {
  readonly account_id: string
  /** Of a key, a session, or whom a host named. */
  readonly id: string
  /** Whether the newest one takes the place of those before, as in a browser that has left a page. */
  readonly alone: boolean
}

/** Begins to tell; the returned function ends it. */
export type BeginListening = (listener: LiveListener) => () => void

/** What happens in an account, for pages that are open: hints at once, while webhooks are what can be relied on. */
export interface Live {
  /**
   * Events of every kind, whichever process commits them, each within about a second of its commit; one that commits more
   * than 10 s after it was written down is not told. Resolves to what begins it, with the events since `after` (a position,
   * or the id of an event) where that is at most 30 s ago, some of them perhaps for the second time; null when the account
   * (250) or the caller (100) has too many open in this process.
   * @throws UnavailableError after `close`, too
   */
  listen(caller: LiveCaller, after?: string): Promise<BeginListening | null>
  /** Ends all that listen, and lets none begin. */
  close(): void
}

const lookEveryMs = 1000
/** Between two looks that commits ask for. */
const minGapMs = 100
/** Between the writing of an event and its commit, or between the clocks of two processes: so far back each look begins. */
const overlapMs = 10_000
const replayMs = 30_000
/** What one look reads. */
const maxRows = 1000
const maxOfAccount = 250
const maxOfCaller = 100

interface Hearing {
  readonly caller: LiveCaller
  readonly listener: LiveListener
  /** Ids that it was told, or that were there before it: those that the next look can find. */
  known: ReadonlySet<string>
}

/** An account with listeners. */
interface Heard {
  readonly hearings: Set<Hearing>
  /** When the store was last read for it. */
  lookedAt: number
}

export interface LiveDeps {
  readonly storage: Pick<Storage, 'reads' | 'queue'>
  readonly clock: Clock
  /** Told of a look that failed; the next one makes up for it. */
  readonly fault: (error: unknown) => void
}

const kinds: ReadonlySet<string> = new Set(eventKinds)
const isLive = (event: StoredEvent): event is LiveEvent => kinds.has(event.event)
const idsOf = (events: readonly StoredEvent[]): ReadonlySet<string> => new Set(events.map(({ id }) => id))
const positionAt = (ms: number) => firstIdAt('evt', ms)

export function createLive({ storage, clock, fault }: LiveDeps): Live {
  const { reads, queue } = storage
  const heard = new Map<string, Heard>()
  let unwatch: (() => void) | null = null
  let cancel = () => {}
  let isLooking = false
  let isAsked = false
  let lastRound = 0
  let isClosed = false

  const since = (account_id: string, ms: number) =>
    reads.events.since(account_id, positionAt(Math.max(0, ms - overlapMs)), maxRows)

  function isFull({ account_id, id, alone }: LiveCaller): boolean {
    const hearings = [...(heard.get(account_id)?.hearings ?? [])]
    const own = hearings.filter(({ caller }) => caller.id === id).length
    return alone ? hearings.length - own >= maxOfAccount : hearings.length >= maxOfAccount || own >= maxOfCaller
  }

  async function look(account_id: string, account: Heard): Promise<void> {
    const at = clock.now()
    const rows = await since(account_id, Math.min(at, account.lookedAt))
    account.lookedAt = at
    const live = rows.filter(isLive)
    const known = idsOf(rows)
    for (const hearing of account.hearings) {
      const events = live.filter(({ id }) => !hearing.known.has(id))
      hearing.known = known
      hearing.listener.tell({ events, missed: rows.length === maxRows, position: positionAt(at) })
    }
  }

  async function round(): Promise<void> {
    isLooking = true
    isAsked = false
    for (const [account_id, account] of heard) await look(account_id, account).catch(fault)
    isLooking = false
    lastRound = clock.now()
    if (heard.size > 0) schedule(isAsked ? minGapMs : lookEveryMs)
  }

  function schedule(delayMs: number): void {
    cancel()
    cancel = clock.after(delayMs, round)
  }

  /** By each commit that left something due: there is an event, of whichever account. */
  function ask(): void {
    if (isAsked) return
    isAsked = true
    if (!isLooking) schedule(Math.max(0, lastRound + minGapMs - clock.now()))
  }

  function add(hearing: Hearing, lookedAt: number): void {
    const { account_id } = hearing.caller
    const account = heard.get(account_id) ?? { hearings: new Set(), lookedAt }
    account.hearings.add(hearing)
    heard.set(account_id, account)
    if (unwatch !== null) return
    unwatch = queue.watch(ask)
    if (!isLooking) schedule(lookEveryMs)
  }

  function remove(hearing: Hearing): void {
    const { account_id } = hearing.caller
    const account = heard.get(account_id)
    account?.hearings.delete(hearing)
    if (account?.hearings.size === 0) heard.delete(account_id)
    if (heard.size > 0) return
    unwatch?.()
    unwatch = null
    cancel()
  }

  function replaceOthers({ account_id, id, alone }: LiveCaller): void {
    if (!alone) return
    for (const hearing of heard.get(account_id)?.hearings ?? []) {
      if (hearing.caller.id !== id) continue
      remove(hearing)
      hearing.listener.ended('replaced')
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
      const rows = await since(account_id, Math.min(from, heard.get(account_id)?.lookedAt ?? at))
      return (listener) => {
        const refusal = isClosed ? 'closing' : isFull(caller) ? 'too_many' : null
        if (refusal !== null) {
          listener.ended(refusal)
          return () => {}
        }
        replaceOthers(caller)
        const hearing = { caller, listener, known: idsOf(rows) }
        add(hearing, at)
        const again = after !== undefined && !isTooLong
        const missed = isTooLong || (again && rows.length === maxRows)
        listener.tell({ events: again ? rows.filter(isLive) : [], missed, position: positionAt(at) })
        return () => remove(hearing)
      }
    },
    close() {
      isClosed = true
      for (const { hearings } of [...heard.values()])
        for (const hearing of [...hearings]) {
          remove(hearing)
          hearing.listener.ended('closing')
        }
    },
  }
}
