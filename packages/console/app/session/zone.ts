import { computed } from '@preact/signals'
import { serverNow } from '../api/client.js'
import { withOrdinal } from '../words/ordinal.js'
import { locale } from '../words/words.js'
import { session } from './session.js'

/**
 * Times are in the account's time zone, wherever this browser is. The core uses Temporal for that. Not every browser
 * has it, and a polyfill of 8 kB is too much for the two functions below. The Swedish format is `2026-03-16 09:30`.
 */
const clock = computed(
  () =>
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: session.value?.compte.fuseau ?? 'UTC',
      dateStyle: 'short',
      timeStyle: 'short',
    }),
)

const dayMs = 86_400_000

/** The shop's local time at an instant: `2026-03-16T09:30`. */
export const wallOf = (instant: string | number): string => clock.value.format(new Date(instant)).replace(' ', 'T')

/** The instant of a local time: the first if it occurs twice, the end of the gap if it never occurs. */
export function instantOf(wall: string): string {
  const asUtc = Date.parse(`${wall}Z`)
  const readAt = (ms: number) => asUtc - (Date.parse(`${wallOf(ms)}Z`) - ms)
  const guesses = [readAt(asUtc - dayMs), readAt(asUtc + dayMs)]
  const exact = guesses.filter((ms) => wallOf(ms) === wall)
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...guesses)).toISOString()
}

export const dateOf = (instant: string): string => wallOf(instant).slice(0, 10)
/** `09:30`. */
export const timeOf = (instant: string): string => wallOf(instant).slice(11)
export const today = (): string => wallOf(serverNow()).slice(0, 10)

export const isDate = (text: string | undefined): text is string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && !Number.isNaN(Date.parse(`${text}T00:00Z`))

export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** The Monday of the week of a date. */
export const mondayOf = (date: string): string => daysAfter(date, -((new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7))

const names = computed(() => ({
  day: new Intl.DateTimeFormat(locale.value, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }),
  short: new Intl.DateTimeFormat(locale.value, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }),
  range: new Intl.DateTimeFormat(locale.value, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
}))

/** `lundi 16 mars`. */
export const dayName = (date: string): string =>
  withOrdinal(names.value.day.format(new Date(`${date}T00:00Z`)), locale.value)
/** `lun. 16 mars`. */
export const shortDayName = (date: string): string =>
  withOrdinal(names.value.short.format(new Date(`${date}T00:00Z`)), locale.value)
/** `16–22 mars 2026`. */
export const weekName = (monday: string): string =>
  names.value.range.formatRange(new Date(`${monday}T00:00Z`), new Date(`${daysAfter(monday, 6)}T00:00Z`))
