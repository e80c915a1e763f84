import { computed, signal } from '@preact/signals'
import { serverNow } from '../api/client.js'
import { erasedName } from './erased-name.js'
import { withOrdinal } from './ordinal.js'
import { locale, words } from './words.js'

/**
 * A date format, created at its first use: a screen needs two or three of them, and the first one of a page is
 * expensive.
 */
function dates(options: Intl.DateTimeFormatOptions): (instant: string) => string {
  const format = computed(() => new Intl.DateTimeFormat(locale.value, options))
  return (instant) => withOrdinal(format.value.format(new Date(instant)), locale.value)
}

export const day = dates({ day: 'numeric', month: 'short', year: 'numeric' })
export const moment = dates({ dateStyle: 'medium', timeStyle: 'short' })
export const exact = dates({ dateStyle: 'short', timeStyle: 'medium' })
export const time = dates({ hour: '2-digit', minute: '2-digit' })
const ago = computed(() => new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto', style: 'short' }))
const numbers = computed(() => new Intl.NumberFormat(locale.value))
export const number = (value: number): string => numbers.value.format(value)

const minute = 60_000
const units = [
  ['minute', minute],
  ['hour', 60 * minute],
  ['day', 24 * 60 * minute],
] as const

let ticking: ReturnType<typeof setInterval>

/** Changes every minute while a text that depends on it is visible. */
const minutes = signal(0, {
  watched() {
    ticking = setInterval(() => {
      minutes.value += 1
    }, minute)
  },
  unwatched: () => clearInterval(ticking),
})

/**
 * How far away an instant is, as people say it; its date if that is a week or more. A computed value that uses this is
 * updated as time passes.
 */
export function away(instant: string): string {
  void minutes.value
  const ms = Date.parse(instant) - serverNow()
  const far = Math.abs(ms)
  if (far < minute) return ms > 0 ? words.value.inAMoment : words.value.justNow
  if (far >= 7 * 24 * 60 * minute) return day(instant)
  const [unit, each] = units.findLast(([, size]) => far >= size) ?? units[0]
  return ago.value.format(Math.trunc(ms / each), unit)
}

const dayOfYear = dates({ day: 'numeric', month: 'short' })
const monthOfOtherYear = dates({ month: 'short', year: '2-digit' })

/**
 * How long ago an instant was, as short as possible: `3 min`, `2 j`; after a week the day, and in another year the
 * month.
 */
export function age(instant: string): string {
  void minutes.value
  const ms = serverNow() - Date.parse(instant)
  const t = words.value.ages
  if (ms >= 7 * 24 * 60 * minute) return (sameYear(instant) ? dayOfYear : monthOfOtherYear)(instant)
  if (ms >= 24 * 60 * minute) return t.days(Math.trunc(ms / (24 * 60 * minute)))
  return ms >= 60 * minute ? t.hours(Math.trunc(ms / (60 * minute))) : t.minutes(Math.max(0, Math.trunc(ms / minute)))
}

const sameYear = (instant: string) => new Date(instant).getFullYear() === new Date(serverNow()).getFullYear()

export const milliseconds = (ms: number): string =>
  ms < 1000 ? `${number(ms)} ms` : `${number(Math.round(ms / 100) / 10)} s`

/** For `2026-03`: `mars 2026`, or short `mars 26`. */
export const monthName = (mois: string, manner: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(locale.value, {
    month: manner,
    year: manner === 'long' ? 'numeric' : '2-digit',
    timeZone: 'UTC',
  }).format(new Date(`${mois}-01T00:00Z`))

/** A typed text inside a sentence: whatever its direction, it does not affect the rest of the sentence. */
export const isolated = (text: string): string => `\u2068${text}\u2069`

export const personName = ({ prenom, nom }: { readonly prenom: string; readonly nom: string }) =>
  nom === erasedName ? words.value.stored(nom) : [prenom, nom].filter(Boolean).join(' ')
