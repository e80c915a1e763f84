import * as z from 'zod'
import { UnavailableError } from '../errors.js'
import type { Hooks } from '../hooks.js'
import type { Inputs } from '../input-types.gen.js'
import type { Storage, Transaction } from '../storage.js'
import { targetNames as namesOf } from '../target-names.js'
import type { Clock } from '../time/clock.js'
import { type BusinessCalendar, toInstant } from '../time/time.js'
import { type CursorPage, cursor, cursorPage, followsOrder, listOrder, textInPlace } from '../values/cursor.js'
import type { NewId } from '../values/ids.js'
import { lazily } from '../values/lazily.js'
import { dateOrInstant, line, nameOrId, parse } from '../values/validation.js'
import type { AuditRecord, AuditView } from './audit-record.js'
import { networkOf } from './token-buckets.js'

/** An answered call. */
export interface AuditCall extends Omit<AuditRecord, 'id' | 'time' | 'calls'> {
  /** When the call arrived, in milliseconds since the Unix epoch. */
  readonly time: number
}

/** The last of several calls that were counted together. It stands for all of them. */
export interface CountedCall extends AuditCall {
  /** The number of calls, including this one. */
  readonly calls: number
}

/** How a call without a known key or session is counted. */
export interface CountRule {
  /** The kind of outcome. Calls of different kinds are counted separately. */
  readonly kind: string
  /** Whether the count is stored as an audit row. If not, it is only logged. */
  readonly isKept: boolean
  /** Called once for the counted calls, with the last of them and their number. It must not throw or wait. */
  readonly tell: (counted: CountedCall) => void
}

const newestFirst = listOrder('audit', textInPlace, textInPlace)

/**
 * Filters, all of which must match. `since` is a local day or an instant, inclusive. `until` is a local day, including
 * all of it, or an instant, exclusive. A page has at most 1000 calls, 50 by default.
 */
export const listAuditInput = lazily(() =>
  z
    .strictObject({
      since: dateOrInstant().optional(),
      until: dateOrInstant().optional().meta({ description: 'The end: on or before a day, or before an instant.' }),
      key_id: nameOrId().optional(),
      user_id: nameOrId().optional(),
      target: line({ min: 1, max: 100 })
        .optional()
        .describe('Only calls about this target: `client:13`, `case:19`, `key:key_…`.'),
      writes: z.literal('true').optional().describe('Only calls by methods that write, whatever their outcome.'),
      noms: z.literal('true').optional().describe('Adds to each call the name of its `target`.'),
      curseur: cursor(),
      limite: z.int().min(1).max(1000).default(50).describe('The maximum number of calls on a page.'),
    })
    .check(followsOrder(() => newestFirst)),
)
/** What `audit.list` takes. */
export type ListAuditInput = Inputs['listAudit']

/** Calls, newest first. Calls that arrive while pages are read do not shift the pages. */
export type AuditPage = CursorPage<AuditView>

/** The calls of the API: caller, time, address and outcome, never a body. */
export interface Audit {
  /** Records a call in the transaction of its effect, so that neither exists without the other. */
  record(tx: Transaction, call: AuditCall): Promise<void>
  /**
   * Notes a call that wrote nothing, without delaying its caller. It is stored within about a second, or at once when
   * 2000 are waiting. If the process is killed, its notes are lost.
   */
  note(call: AuditCall): void
  /**
   * Counts a call without a known key or session. Once a minute, the calls of one address (or one IPv6 /64) and one
   * kind become one row and one log line. All such callers together get at most six rows and six log lines: one for
   * each of the five callers with the most calls, and a last one for all the others, with `*` as its address. If there
   * was no such call for a minute, the next one is written after a second. If the process is killed, its counts are
   * lost. Calls of an account are counted by key or user, whatever their address.
   * @returns whether this call is the first of its kind, from any address, since the last log line
   */
  count(call: AuditCall, as: CountRule): boolean
  /** Resolves when all notes are stored. @throws UnavailableError when the store is unavailable: the notes are kept */
  flush(): Promise<void>
  /** Like `flush`, and also stores the counts of the current minute. Called before the process ends. */
  finish(): Promise<void>
  /** The number of calls since the start that could not be stored, because the store was unavailable for too long. */
  readonly dropped: number
  /**
   * Calls, newest first.
   * @param account_id null: calls without a known key
   */
  list(account_id: string | null, input: ListAuditInput): Promise<AuditPage>
}

/** A row to be written. */
interface AuditRow {
  readonly call: AuditCall
  readonly calls: number
}

interface CallCount extends AuditRow, CountRule {}

/**
 * Calls per transaction. With 2000, a process that answers 10,000 reads a second commits 5 times a second. With 500,
 * it committed 20 times a second, which took 8 % of its time.
 */
const batch = 2000
/** How often the counts of calls without a key become rows. */
const countedMs = 60_000
/** The first call after a minute without calls is written after this time, together with those that followed it. */
const gatheredMs = 1000
/** How many addresses and kinds are counted separately. Any others are counted together. */
const countedLimit = 10_000
/** The most rows, and the most log lines, that calls without a key produce in a minute. */
const maxTold = 6
/** The address in a row that counts several addresses. */
const manyAddresses = '*'
/** The most calls kept while the store is unavailable: some seconds of a busy service, in a few megabytes. */
const backlogLimit = 10_000

export interface AuditDeps {
  readonly storage: Storage
  readonly clock: Pick<Clock, 'monotonic'>
  readonly calendar: BusinessCalendar
  readonly newId: NewId
  readonly targetNames: Hooks['targetNames']
  /** Called when a batch could not be stored. */
  readonly fault: (error: unknown) => void
}

export function createAudit({ storage, clock, calendar, newId, targetNames, fault }: AuditDeps): Audit {
  let noted: AuditRow[] = []
  const strangers = new CountedCalls()
  let dropped = 0
  let flushing: Promise<void> | null = null

  const recordOf = ({ call, calls }: AuditRow): AuditRecord => ({
    ...call,
    id: newId('aud'),
    time: toInstant(call.time),
    calls,
  })

  /** Drops the oldest calls first. */
  function keepWithinLimit(): void {
    if (noted.length <= backlogLimit) return
    dropped += noted.length - backlogLimit
    noted = noted.slice(-backlogLimit)
  }

  async function writeAll(): Promise<void> {
    while (noted.length > 0) {
      const calls = noted.slice(0, batch)
      noted = noted.slice(batch)
      try {
        await storage.transaction((tx) => tx.audit.add(calls.map(recordOf)))
      } catch (error) {
        // Keep only calls that can be stored later. A call that can never be stored would block all calls behind it.
        if (error instanceof UnavailableError) noted = [...calls, ...noted]
        else dropped += calls.length
        keepWithinLimit()
        throw error
      }
    }
  }

  function noteStrangers(): void {
    const counted = strangers.take(clock.monotonic())
    for (const { tell, call, calls } of mostCalled(counted)) tell({ ...call, calls })
    noted.push(...mostCalled(counted.filter(({ isKept }) => isKept)))
  }

  function flush(): Promise<void> {
    if (strangers.isDue(clock.monotonic())) noteStrangers()
    flushing ??= writeAll().finally(() => {
      flushing = null
    })
    return flushing
  }

  return {
    async record(tx, call) {
      await tx.audit.add([recordOf({ call, calls: 1 })])
    },

    note(call) {
      noted.push({ call, calls: 1 })
      if (noted.length > backlogLimit + batch) keepWithinLimit()
      if (noted.length === batch) flush().catch(fault)
    },

    count(call, as) {
      const now = clock.monotonic()
      if (strangers.isDue(now)) noteStrangers()
      return strangers.add(call, as, now)
    },

    flush,

    finish() {
      noteStrangers()
      return flush()
    },

    get dropped() {
      return dropped
    },

    async list(account_id, input) {
      const asked = parse(listAuditInput, input)
      const { since, until, key_id, user_id, target, writes, noms, curseur, limite } = asked
      const found = await storage.reads.audit.list(account_id, {
        since: since && calendar.instantOf(since),
        before: until && calendar.endOf(until),
        key_id,
        user_id,
        target,
        writes: writes && true,
        after: curseur?.place,
        limit: limite + 1,
      })
      const { items, curseur: next } = cursorPage(newestFirst, asked, found, ({ time, id }) => [time, id])
      const calls = items.map(view)
      if (noms === undefined || account_id === null) return { items: calls, curseur: next }
      const targets = calls.map((call) => call.target)
      const names = await namesOf(storage.reads, account_id, targets, targetNames)
      return { items: calls.map((call) => ({ ...call, nom: names.get(call.target) ?? null })), curseur: next }
    },
  }
}

const view = ({ id: _, account_id: __, calls, ...shown }: AuditRecord): AuditView =>
  calls > 1 ? { ...shown, calls } : shown

/** The calls without a key since the last log line. */
class CountedCalls {
  #byKind = new Map<string, CallCount>()
  #kinds = new Set<string>()
  #firstAt = 0
  #toldAt = Number.NEGATIVE_INFINITY

  /** @returns whether this call is the first of its kind since the last log line */
  add(call: AuditCall, as: CountRule, now: number): boolean {
    if (this.#byKind.size === 0) this.#firstAt = now
    const own = `${as.kind} ${holderOf(call) ?? networkOf(call.ip)}`
    const isApart = this.#byKind.has(own) || this.#byKind.size < countedLimit
    const key = isApart ? own : manyAddresses
    const known = this.#byKind.get(key)
    this.#byKind.set(key, {
      ...as,
      isKept: as.isKept || known?.isKept === true,
      call: isApart ? call : { ...call, ip: manyAddresses },
      calls: (known?.calls ?? 0) + 1,
    })
    const isFirst = !this.#kinds.has(as.kind)
    this.#kinds.add(as.kind)
    return isFirst
  }

  isDue(now: number): boolean {
    return this.#byKind.size > 0 && now >= Math.max(this.#firstAt + gatheredMs, this.#toldAt + countedMs)
  }

  take(now: number): CallCount[] {
    const counted = [...this.#byKind.values()]
    this.#byKind = new Map()
    this.#kinds = new Set()
    this.#toldAt = now
    return counted
  }
}

/** The key or user of a call; null for a call without an account. */
const holderOf = ({ account_id, key_id, user_id }: AuditCall): string | null =>
  account_id === null ? null : `${account_id} ${key_id} ${user_id}`

/** The callers with the most calls, at most as many as may be logged. The last entry counts all the others. */
function mostCalled(all: readonly CallCount[]): readonly CallCount[] {
  const counted = all.filter(({ call }) => holderOf(call) === null)
  if (counted.length <= maxTold) return all
  const held = all.filter(({ call }) => holderOf(call) !== null)
  const ranked = counted.toSorted((a, b) => b.calls - a.calls)
  const others = ranked.splice(maxTold - 1)
  const last = others.reduce((latest, each) => (each.call.time >= latest.call.time ? each : latest))
  const calls = others.reduce((sum, each) => sum + each.calls, 0)
  return [...held, ...ranked, { ...last, call: { ...last.call, ip: manyAddresses }, calls }]
}
