import { createKnownKeys } from './access/api-keys.js'
import type { RateLimit } from './access/rate-limit.js'
import { createSealer, type FindKey } from './crypto/sealing.js'
import { createAccountLimits } from './directory/account-limits.js'
import type { LocateLieu } from './directory/lieu.js'
import type { StampVerifier } from './evidence/timestamper.js'
import { checkLetterChannels, type LetterChannel } from './letters/letter.js'
import { createNotify } from './letters/notices.js'
import type { ReportRenderer } from './reports/report.js'
import type { Storage } from './storage.js'
import type { Clock } from './time/clock.js'
import { businessCalendar, calendars } from './time/time.js'
import { idMaker } from './values/ids.js'
import type { Random } from './values/random.js'
import type { LookUp } from './webhooks/receiver-name.js'
import type { ReceiverPolicy } from './webhooks/receiver-url.js'

/** What a service and its worker need from outside, including clock, random numbers and network. */
export interface SavDeps {
  /** Where everything is kept: see `@sav/storage-kysely`. */
  readonly storage: Storage
  /** The time, and timers. */
  readonly clock: Clock
  /** Random bytes, for ids, keys and secrets. */
  readonly random: Random
  /** 32 bytes: seals webhook secrets at rest. */
  readonly secretKey: Uint8Array
  /** Finds earlier and later secret keys; needed only during a rotation. */
  readonly findSecretKey?: FindKey
  /** IANA name of the business time zone. `Europe/Paris` by default. */
  readonly timeZone?: string
  /** The service's public address, with which its links begin. Without it, links are only paths. */
  readonly publicUrl?: string | null
  /** Which URLs an endpoint may have. Default: only `https` at public addresses. */
  readonly receivers?: ReceiverPolicy
  /** Looks up a receiver's name before it is saved, to refuse a private address. Default: only the sender checks. */
  readonly lookUp?: LookUp
  /**
   * The channels of letters: `['email', 'sms']`. A worker sends them, here or in another process. `email` uses the
   * client's e-mail address, `whatsapp` the telephone if the client agreed to it, any other name the telephone. None by
   * default.
   */
  readonly letters?: readonly LetterChannel[]
  /** Reads time stamps when evidence is verified. Default: only their position in the chain is checked. */
  readonly stampVerifier?: StampVerifier | null
  /**
   * Finds the coordinates of a place saved without them. Default: postal code and town locate it. See
   * `@sav/planning/engines`.
   */
  readonly locate?: LocateLieu
  /** Draws sample reports, and thumbnails for phones. Default: there are none. */
  readonly reportRenderer?: ReportRenderer | null
  /** The limits of each key or user and of each account, in this process. Default, or null: none. */
  readonly rateLimit?: RateLimit | null
  /** Called with faults of background work: audit, key use, heartbeat. */
  readonly onFault?: (error: unknown) => void
}

/** The parts that the use cases share, on any storage of the service. */
export function partsOf(deps: SavDeps) {
  const { clock, random, secretKey, findSecretKey, lookUp } = deps
  const { timeZone = 'Europe/Paris', receivers = { allowLocal: false } } = deps
  const { letters: letterChannels = [], stampVerifier = null } = deps
  const { locate = nowhereFound, reportRenderer = null } = deps
  checkLetterChannels(letterChannels)
  const newId = idMaker(clock, random)
  const calendar = businessCalendar(timeZone)
  const calendarOf = calendars(calendar)
  return {
    clock,
    random,
    notify: createNotify({ clock, newId, byEmail: letterChannels.includes('email') }),
    locate,
    receivers,
    publicUrl: withoutSlash(deps.publicUrl),
    lookUp,
    letterChannels,
    stampVerifier,
    newId,
    calendarOf,
    calendar,
    sealer: createSealer(secretKey, random, findSecretKey),
    known: createKnownKeys(clock),
    limits: createAccountLimits(clock, calendar),
    reportRenderer,
  }
}

/** What `partsOf` gives. */
export type CoreParts = ReturnType<typeof partsOf>

/** Leaves places as they are. */
export const nowhereFound: LocateLieu = async () => null

/** An address without trailing slashes. */
export const withoutSlash = (url: string | null | undefined): string | null => url?.replace(/\/{1,9}$/, '') ?? null
