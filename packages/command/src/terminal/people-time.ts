import { type BusinessCalendar, businessCalendar } from '@sav/core/adapter'
import type { Settings } from '../settings/settings.js'
import { isDate } from '../syntax/calendar-day.js'

/** Formats instants for people, in the business time zone. */
export interface PeopleTime {
  /** The zone's IANA name, to be shown once beside times. */
  readonly timeZone: string
  /** Formats an instant as `2026-01-15 11:30:05`; null for null. */
  at(instant: string | null): string | null
  /** Formats an instant as `2026-01-15 11:30:05 (Europe/Paris)`. */
  zoned(instant: string): string
  /** Formats the day of an instant as `2026-01-15`. */
  dayOf(instant: string): string
  /**
   * Formats an instant as `3 min ago` or `in 2 h`, or as the time of day or the day if that is more useful; null for
   * null.
   */
  fromNow(instant: string | null): string | null
  /** How long ago an instant was: `3 min`, `2 h`, `12 d`. */
  ageOf(instant: string): string
  /** Converts the output of `at` back to an instant; returns anything else unchanged. */
  instantOf(typed: string | undefined): string | undefined
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Formats and parses instants for people, in the time zone of the settings. */
export function peopleTime({ settings: { timeZone } }: { readonly settings: Pick<Settings, 'timeZone'> }): PeopleTime {
  const calendar: BusinessCalendar = businessCalendar(timeZone)
  const at = (instant: string) => wallAt(calendar, instant).replace('T', ' ')
  return {
    timeZone,
    at: (instant) => instant && at(instant),
    zoned: (instant) => `${at(instant)} (${timeZone})`,
    dayOf: (instant) => at(instant).slice(0, 10),
    fromNow(instant) {
      if (instant === null) return null
      const ms = Date.parse(instant) - Date.now()
      const far = Math.abs(ms)
      if (far >= dayMs) return at(instant).slice(0, 16)
      return ms > 0 ? `in ${amountOf(far)}` : `${amountOf(far)} ago`
    },
    ageOf: (instant) => amountOf(Math.max(Date.now() - Date.parse(instant), 0)),
    instantOf: (typed) => typed && typedInstant(calendar, typed),
  }
}

/** The local time of an instant: `2026-01-15T11:30:05`. */
export const wallAt = (calendar: BusinessCalendar, instant: string): string =>
  calendar.zonedAt(Date.parse(instant)).toPlainDateTime().toString({ smallestUnit: 'second' })

const typedTime = /^(\d{4}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d))?(Z|[+-]\d{2}:\d{2})?$/

/** The parts of a typed time; null if it is not a time of the calendar. A time without `offset` is local. */
export function typedParts(typed: string) {
  const [, date = '', time = '', second = '00', offset] = typedTime.exec(typed) ?? []
  return isDate(date) ? { date, time, second, offset } : null
}

/**
 * The instant of a typed time. Without an offset, the time is local. Any other text is returned as it is, for the core
 * to check.
 */
export function typedInstant(calendar: BusinessCalendar, typed: string): string {
  const parts = typedParts(typed)
  if (parts === null) return typed
  const { date, time, second, offset } = parts
  if (offset !== undefined) return `${date}T${time}:${second}${offset}`
  const ms = calendar.timeOfDay(date, Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) + Number(second) * 1000
  return new Date(ms).toISOString()
}

function amountOf(ms: number): string {
  if (ms < minuteMs) return `${Math.round(ms / 1000)} s`
  if (ms < hourMs) return `${Math.round(ms / minuteMs)} min`
  return ms < dayMs ? `${Math.round(ms / hourMs)} h` : `${Math.round(ms / dayMs)} d`
}
