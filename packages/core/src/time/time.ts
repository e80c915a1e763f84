import type { Temporal } from 'temporal-spec'

/** The size of the cache of formatted instants, which are indexed by their milliseconds modulo this size. */
const places = 256
const writtenMs = new Float64Array(places).fill(Number.NaN)
const written: string[] = Array.from({ length: places }, () => '')

/** An instant as stored and sent: fixed-width UTC ISO 8601 with milliseconds. */
export function toInstant(ms: number): string {
  // A creation formats five instants, of its call and of the current time. Concurrent creations often format the same
  // ones. Without the cache, formatting took 3 % of a creation.
  const place = ms % places
  const known = written[place]
  if (known !== undefined && writtenMs[place] === ms) return known
  const instant = new Date(ms).toISOString()
  if (known !== undefined) {
    written[place] = instant
    writtenMs[place] = ms
  }
  return instant
}

/** The milliseconds since 1970 of an instant. */
export function toMs(instant: string): number {
  return Date.parse(instant)
}

/** A minute in milliseconds. */
export const minuteMs = 60_000
/** An hour in milliseconds. */
export const hourMs = 60 * minuteMs
/** A day in milliseconds. A day of the business calendar may be an hour shorter or longer. */
export const dayMs = 24 * hourMs

let loaded: typeof Temporal | undefined

/** Node has Temporal from version 26 on. Before, its first use loads the polyfill, which takes 12 ms. */
const temporal = (): typeof Temporal => (loaded ??= Reflect.get(globalThis, 'Temporal') ?? polyfill())

/** @throws Error in a bundle, which omits files that nothing imports */
function polyfill(): typeof Temporal {
  try {
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)('#temporal').Temporal
  } catch (cause) {
    const remedy = "put import 'temporal-polyfill/global' before all else in the bundle's entry"
    throw new Error(`Node ${process.version} has no Temporal, and neither does the bundle: ${remedy}.`, { cause })
  }
}

/** Whether an IANA time zone has that name; an offset (`+02:00`) is not one. */
export const isTimeZone = (name: string): boolean => /^[A-Za-z]/.test(name) && isZoneOrOffset(name)

/** Whether the text is a known time zone, or an offset. */
export function isZoneOrOffset(text: string): boolean {
  // Temporal also accepts an instant with a zone as a time zone.
  if (!/^([A-Za-z][\w+/-]{0,63}|[+-]\d\d(:?\d\d)?)$/.test(text)) return false
  // Every command reads settings, so this avoids the polyfill of Temporal: it takes 12 ms and, for all languages, 22
  // MB.
  if (!('Temporal' in globalThis) && Intl.supportedValuesOf('timeZone').includes(text)) return true
  try {
    businessCalendar(text).yearAt(0)
    return true
  } catch {
    return false
  }
}

/** The business calendar: an IANA time zone determines years and midnights. */
export interface BusinessCalendar {
  readonly timeZone: string
  /** The wall-clock time at `ms`. */
  zonedAt(ms: number): Temporal.ZonedDateTime
  /** The local year at `ms`. */
  yearAt(ms: number): number
  /** The local day at `ms`, `YYYY-MM-DD`. */
  dateAt(ms: number): string
  /** How far the wall clock is ahead of UTC at `ms`, in milliseconds. */
  offsetAt(ms: number): number
  /** When the local day `YYYY-MM-DD` begins, in milliseconds: its first moment if midnight does not exist. */
  startOfDay(date: string): number
  /**
   * When the wall clock of a local day first shows `minutes` (0 to 1440) after midnight. A time that occurs twice means
   * the first one, a missing time the end of the gap, and 1440 the start of the next day.
   */
  timeOfDay(date: string, minutes: number): number
  /** The instant meant by `YYYY-MM-DD` (its first moment) or an ISO 8601 instant with an offset. */
  instantOf(dateOrInstant: string): string
  /** The end of `YYYY-MM-DD`, or the instant meant by an ISO 8601 instant with an offset. */
  endOf(dateOrInstant: string): string
}

/** @throws RangeError for a time zone that the platform does not know. */
export function businessCalendar(timeZone: string): BusinessCalendar {
  const { Instant, PlainDateTime } = temporal()
  const zonedAt = (ms: number) => Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)

  // A conversion takes 1.6 µs. A search for slots over three months makes 35,000, which took 56 of 300 ms without this
  // cache. An import has dates of several years, so all periods are kept.
  const known: Period[] = []
  let last = periodAt(zonedAt, 0)
  const periodOf = (ms: number): Period => {
    if (holds(last, ms)) return last
    last = known.find((period) => holds(period, ms)) ?? periodAt(zonedAt, ms)
    if (!known.includes(last)) known.push(last)
    return last
  }
  const offsetAt = (ms: number): number => periodOf(ms).offsetMs

  const timeOfDay = (date: string, minutes: number): number => {
    const midnight = new Date(`${date}T00:00Z`)
    const shown = midnight.getTime() + minutes * 60_000
    const period = periodOf(shown)
    const ms = shown - period.offsetMs
    // The clock does not change within a day of this time, so the time occurs once. Temporal would take 20 times as
    // long.
    const isPlain = holds(period, ms - dayMs) && holds(period, ms + dayMs)
    if (isPlain && midnight.getUTCDate() === Number(date.slice(-2))) return ms
    const wall = PlainDateTime.from(date).add({ minutes })
    const found = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
    // If the time is in a gap, `found` is before the gap.
    const gap = found.toPlainDateTime().equals(wall) ? null : found.getTimeZoneTransition('next')
    return (gap ?? found).epochMilliseconds
  }

  const startOfDay = (date: string): number => timeOfDay(date, 0)

  return {
    timeZone,
    zonedAt,
    offsetAt,
    startOfDay,
    timeOfDay,
    dateAt: (ms) => toInstant(ms + offsetAt(ms)).slice(0, 10),
    yearAt: (ms) => new Date(ms + offsetAt(ms)).getUTCFullYear(),
    instantOf: (text) => inFourDigits(text.includes('T') ? toMs(text) : startOfDay(text)),
    endOf: (text) => inFourDigits(text.includes('T') ? toMs(text) : timeOfDay(text, 1440)),
  }
}

const firstMs = Date.parse('0000-01-01T00:00:00.000Z')
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

/** Limits to years of four digits: instants are compared as text, where a longer year sorts first. */
const inFourDigits = (ms: number): string => toInstant(Math.min(Math.max(ms, firstMs), lastMs))

/** The time between two clock changes, `until` excluded, with its offset. */
interface Period {
  readonly from: number
  readonly until: number
  readonly offsetMs: number
}

const holds = ({ from, until }: Period, ms: number): boolean => ms >= from && ms < until

function periodAt(zonedAt: BusinessCalendar['zonedAt'], ms: number): Period {
  const zoned = zonedAt(ms)
  return {
    from: zonedAt(ms + 1).getTimeZoneTransition('previous')?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: zoned.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: zoned.offsetNanoseconds / 1e6,
  }
}

/** The calendar of a zone, which must be valid for `isTimeZone`; null: the service's own. */
export type CalendarOf = (timeZone: string | null) => BusinessCalendar

/** @param own the service's calendar */
export const calendars =
  (own: BusinessCalendar): CalendarOf =>
  (timeZone) =>
    timeZone === null ? own : businessCalendar(timeZone)
