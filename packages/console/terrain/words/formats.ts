import { computed } from '@preact/signals'
import { erasedName } from '../../app/words/erased-name.js'
import { withOrdinal } from '../../app/words/ordinal.js'
import { locale, words } from './words.js'

const formats = computed(() => ({
  day: new Intl.DateTimeFormat(locale.value, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }),
  number: new Intl.NumberFormat(locale.value, { maximumFractionDigits: 1 }),
}))

/** The shop's local time, wherever this phone is. The Swedish format is `2026-03-16 09:30`. */
export const wallOf = (instant: string | number, fuseau: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: fuseau, dateStyle: 'short', timeStyle: 'short' }).format(
    new Date(instant),
  )

export const dateOf = (instant: string | number, fuseau: string): string => wallOf(instant, fuseau).slice(0, 10)
export const timeOf = (instant: string | number, fuseau: string): string => wallOf(instant, fuseau).slice(11)

export const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** `lundi 16 mars` */
export const dayName = (date: string): string =>
  withOrdinal(formats.value.day.format(new Date(`${date}T00:00Z`)), locale.value)

/** `lundi 16 mars, 09:30` */
export const momentOf = (instant: string, fuseau: string): string =>
  `${dayName(dateOf(instant, fuseau))}, ${timeOf(instant, fuseau)}`

/** `1,4 Mo` */
export const sizeOf = (bytes: number): string =>
  bytes < 1_000_000
    ? `${formats.value.number.format(Math.ceil(bytes / 1000))} ${unit('k')}`
    : `${formats.value.number.format(bytes / 1_000_000)} ${unit('M')}`

const unit = (prefix: string) => `${prefix}${locale.value === 'fr-FR' ? 'o' : 'B'}`

export const personName = ({ prenom, nom }: { readonly prenom: string; readonly nom: string }): string =>
  nom === erasedName ? words.value.stored(nom) : [prenom, nom].filter(Boolean).join(' ')
