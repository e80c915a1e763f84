import * as z from 'zod'
import type { Clock } from '../clock.js'
import { type CursorPage, cursor, cursorPage } from '../cursor.js'
import { UnavailableError } from '../errors.js'
import type { NewId } from '../ids.js'
import type { Storage, Transaction } from '../storage.js'
import { type BusinessCalendar, toInstant } from '../time.js'
import { dateOrInstant, nameOrId, parse } from '../validation.js'
import { networkOf } from './address-limit.js'
import type { AuditRecord } from './audit-record.js'
import type { AddressPolicy } from './rate-limit.js'

/** An answered call. */
export interface AuditCall extends Omit<AuditRecord, 'id' | 'time' | 'calls'> {
  /** When it came, in milliseconds since the Unix epoch. */
  readonly time: number
}

/**
 * Every filter given must hold. `since` is a local day or an instant, inclusive; `until` a local day, to its end, or an instant,
 * exclusive. At most 1000 calls a page, 50 by default.
 */
export const listAuditInput = z.strictObject({
  since: dateOrInstant.optional(),
  until: dateOrInstant.optional().meta({ description: 'A day, to its end, or an instant, exclusive.' }),
  key_id: nameOrId.optional(),
  user_id: nameOrId.optional(),
  /** Where the previous page ended, as its `curseur` said. */
  curseur: cursor('aud').optional(),
  limite: z.int().min(1).max(1000).default(50),
})
/** What `audit.list` takes. */
export type ListAuditInput = z.input<typeof listAuditInput>

/** A call as the audit shows it. */
export interface AuditView extends Omit<AuditRecord, 'id' | 'account_id' | 'calls'> {
  /** For how many calls it stands, where these are more than one: this is then the last of them. */
  readonly calls?: number | undefined
}

/** Calls, newest first; what comes while somebody pages shifts nothing. */
export type AuditPage = CursorPage<AuditView>

/** Who called what, when, from where, and how it was answered: never what a body said. */
export interface Audit {
  /** Writes a call down in the transaction of what it did: never one without the other. */
  record(tx: Transaction, call: AuditCall): Promise<void>
  /**
   * Notes a call that wrote nothing; it costs its caller nothing. It is written within about a second, or at once when
   * there are 2000; a process that is killed loses what it had noted.
   */
  note(call: AuditCall): void
  /**
   * Counts a call that was refused beyond what its address may ask for. Those of one address, or one IPv6 network (/64),
   * in one minute become one row when the minute is over; a process that is killed loses what it had counted.
   * @param policy the limit: each counts by itself
   * @returns whether it is the first of such a minute
   */
  count(call: AuditCall, policy: AddressPolicy): boolean
  /** Resolves when everything that was noted is written. @throws UnavailableError when the store is away: it stays noted */
  flush(): Promise<void>
  /** The same before the end of the process, with what is counted of minutes that are not over. */
  finish(): Promise<void>
  /** Calls that could not be written since the start, because the store was away for too long. */
  readonly dropped: number
  /**
   * Newest first.
   * @param account_id null: the calls that came without a key that is known
   */
  list(account_id: string | null, input: ListAuditInput): Promise<AuditPage>
}

/** A row to be written. */
interface Noted {
  readonly call: AuditCall
  readonly calls: number
}

interface Counted extends Noted {
  /** When its minute began, in milliseconds. */
  readonly began: number
}

/** Calls a transaction. 10,000 reads a second then take 5 commits; at 500 they took 20 of 5 ms, 8 % of the process. */
const batch = 2000
const minuteMs = 60_000
/** Addresses that are counted at once; beyond, the one that came first gets its row before its minute is over. */
const countedLimit = 10_000
/** While the store is away: some seconds of a busy service, in a few megabytes. */
const backlogLimit = 10_000

export interface AuditDeps {
  readonly storage: Storage
  readonly clock: Pick<Clock, 'now'>
  readonly calendar: BusinessCalendar
  readonly newId: NewId
  /** Told when a batch could not be written. */
  readonly fault: (error: unknown) => void
}

export function createAudit({ storage, clock, calendar, newId, fault }: AuditDeps): Audit {
  let noted: Noted[] = []
  /** By policy and address; those whose minute began first come first. */
  const counted = new Map<string, Counted>()
  let dropped = 0
  let flushing: Promise<void> | null = null

  const recordOf = ({ call, calls }: Noted): AuditRecord => ({
    id: newId('aud'),
    account_id: call.account_id,
    time: toInstant(call.time),
    ip: call.ip,
    method: call.method,
    endpoint: call.endpoint,
    key_id: call.key_id,
    user_id: call.user_id,
    status: call.status,
    duration_ms: call.duration_ms,
    request_id: call.request_id,
    calls,
  })

  /** The oldest go first. */
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
        // Only what may succeed later is kept: anything else would stand in the way of all that follows.
        if (error instanceof UnavailableError) noted = [...calls, ...noted]
        else dropped += calls.length
        keepWithinLimit()
        throw error
      }
    }
  }

  /** @param since when the minutes began, at the latest, whose calls are counted to the end */
  function noteCounted(since: number): void {
    for (const [key, { began, ...row }] of counted) {
      // A clock that was set back ends no minute late.
      if (began > since && began <= clock.now()) return
      counted.delete(key)
      noted.push(row)
    }
  }

  function flush(): Promise<void> {
    noteCounted(clock.now() - minuteMs)
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

    count(call, policy) {
      const key = `${policy} ${networkOf(call.ip)}`
      const known = counted.get(key)
      if (known !== undefined && call.time - known.began < minuteMs) {
        counted.set(key, { ...known, call, calls: known.calls + 1 })
        return false
      }
      if (known !== undefined) {
        counted.delete(key)
        noted.push(known)
      }
      counted.set(key, { call, calls: 1, began: call.time })
      const [oldest] = counted
      if (counted.size > countedLimit && oldest !== undefined) {
        counted.delete(oldest[0])
        noted.push(oldest[1])
      }
      return true
    },

    flush,

    finish() {
      noteCounted(Number.POSITIVE_INFINITY)
      return flush()
    },

    get dropped() {
      return dropped
    },

    async list(account_id, input) {
      const { since, until, key_id, user_id, curseur, limite } = parse(listAuditInput, input)
      const found = await storage.reads.audit.list(account_id, {
        since: since && calendar.instantOf(since),
        before: until && calendar.endOf(until),
        key_id,
        user_id,
        after: curseur && { time: curseur.at, id: curseur.id },
        limit: limite + 1,
      })
      return cursorPage(found, limite, ({ time }) => time, view)
    },
  }
}

const view = ({ id: _, account_id: __, calls, ...shown }: AuditRecord): AuditView =>
  calls > 1 ? { ...shown, calls } : shown
