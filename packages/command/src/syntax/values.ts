import { InvalidArgumentError } from 'commander'
import { isDate } from './calendar-day.js'
import { parseDuration } from './duration.js'

/** A whole number; the core checks its bounds. @throws InvalidArgumentError */
export function integer(text: string): number {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('It must be a whole number.')
  return value
}

/** The same; '' means none. */
export const integerOrNone = (text: string): number | '' => (text === '' ? '' : integer(text))

/** A port to listen on; 0: any free one. */
export function port(text: string): number {
  const value = integer(text)
  if (value < 0 || value > 65_535)
    throw new InvalidArgumentError('It must be a port from 1 to 65535, or 0 for any free one.')
  return value
}

const units: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 }

/** `20GB` in bytes; '' means none. */
export function bytesOrNone(text: string): number | '' {
  if (text === '') return ''
  const [, count = '', unit = ''] = /^(\d{1,15}) ?([KMGT]?)B?$/i.exec(text) ?? []
  const bytes = Number(count) * (units[unit.toUpperCase()] ?? Number.NaN)
  if (count === '' || !Number.isSafeInteger(bytes)) throw new InvalidArgumentError('It must be a size, such as 20GB.')
  return bytes
}

/** A positive whole number. */
export function positive(text: string): number {
  const value = integer(text)
  if (value < 1) throw new InvalidArgumentError('It must be at least 1.')
  return value
}

/**
 * The name of a file or a directory. '' is refused, since it would mean the working directory (an unset variable of a
 * script).
 */
export function pathName(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must name a file or a directory.')
  return text
}

/** The allowed names of a PostgreSQL schema, and of a prefix for tables. */
export const isPlaceName = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(text)

/** The name of a schema. */
export function schemaName(text: string): string {
  if (!isPlaceName(text)) throw new InvalidArgumentError('It must be a name of at most 40 letters, digits and _.')
  return text
}

/** `a,b` and `a, b`. */
export function commaList(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

/** The same, for an option that may be given several times. */
export function integers(text: string, before: readonly number[] = []): number[] {
  return [...before, integer(text)]
}

/** Degrees, as `45.7578`; the core checks their bounds. @throws InvalidArgumentError */
export function degrees(text: string): number {
  if (!/^-?\d{1,3}(?:\.\d{1,15})?$/.test(text)) throw new InvalidArgumentError('It must be degrees, such as 45.7578.')
  return Number(text)
}

/** For an option that may be given several times. */
export function repeatable(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** `365d` or `1 year` as days. */
export function days(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined || ms % 86_400_000 !== 0)
    throw new InvalidArgumentError("It must be whole days, such as 365d or '1 year'.")
  return ms / 86_400_000
}

/** A date or an instant as written, which the core checks; or `2h` ago, as an instant. */
export function sinceWhen(text: string): string {
  const ms = parseDuration(text)
  if (ms !== undefined) return new Date(Date.now() - ms).toISOString()
  if (/^\d{4}-/.test(text)) return text
  throw new InvalidArgumentError(
    "It must be a day (2026-01-15), a time ('2026-01-15 11:30:05', 2026-01-15T10:30:05Z), or so long ago (2h, '3 days').",
  )
}

/** A day with a time of day, as written. @throws InvalidArgumentError */
export function dayAndTime(text: string): string {
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})[T ](?:[01]\d|2[0-3]):[0-5]\d/.exec(text) ?? []
  if (isDate(day)) return text
  throw new InvalidArgumentError('It must be a day and a time of day, such as 2026-03-16T09:00.')
}

/** The target of a call: its kind and its id. */
export function callTarget(text: string): string {
  if (/^[\w-]+:[\w-]+$/.test(text)) return text
  throw new InvalidArgumentError('It must be a kind and an id, such as client:13 or key:key_….')
}

/** `24h` as seconds. */
export function seconds(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined || ms % 1000 !== 0)
    throw new InvalidArgumentError("It must be a duration, such as 24h, 90s or '2 days'.")
  return ms / 1000
}

/** `Name: value`, collected into one record. */
export function header(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const colon = text.indexOf(':')
  if (colon < 1) throw new InvalidArgumentError("It must be written 'Name: value'.")
  return { ...before, [text.slice(0, colon).trim()]: text.slice(colon + 1).trim() }
}

/** @param protocols such as `https:` */
export function isUrl(text: string, protocols: readonly string[]): boolean {
  const url = URL.parse(text)
  return url !== null && protocols.includes(url.protocol) && url.hostname !== ''
}

/** Whether it is an http or https URL. */
export const isHttpUrl = (text: string): boolean => isUrl(text, ['http:', 'https:'])

/** The same fields, with null for each ''. */
export function emptied<Fields extends object>(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, value]) => [name, value === '' ? null : value])
  return Object.assign({ ...fields }, Object.fromEntries(entries))
}
