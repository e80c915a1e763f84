import { InvalidArgumentError } from 'commander'
import { isDate } from './calendar-day.js'
import { parseDuration } from './duration.js'

/**
 * Parses a whole number. The core checks its bounds.
 * @throws InvalidArgumentError
 */
export function integer(text: string): number {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('It must be a whole number.')
  return value
}

/** Like `integer`, but '' stays '', which removes the value. */
export const integerOrNone = (text: string): number | '' => (text === '' ? '' : integer(text))

/** Parses a port to listen on; 0 stands for any free port. */
export function port(text: string): number {
  const value = integer(text)
  if (value < 0 || value > 65_535)
    throw new InvalidArgumentError('It must be a port from 1 to 65535, or 0 for any free one.')
  return value
}

const units: Readonly<Record<string, number>> = { '': 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 }

/** Parses a size such as `20GB` to bytes. '' stays '', which removes the value. */
export function bytesOrNone(text: string): number | '' {
  if (text === '') return ''
  const [, count = '', unit = ''] = /^(\d{1,15}) ?([KMGT]?)B?$/i.exec(text) ?? []
  const bytes = Number(count) * (units[unit.toUpperCase()] ?? Number.NaN)
  if (count === '' || !Number.isSafeInteger(bytes)) throw new InvalidArgumentError('It must be a size, such as 20GB.')
  return bytes
}

/** Parses a positive whole number. */
export function positive(text: string): number {
  const value = integer(text)
  if (value < 1) throw new InvalidArgumentError('It must be at least 1.')
  return value
}

/**
 * Accepts the path of a file or a directory. '' is refused: it would mean the working directory, but usually comes from
 * an unset variable in a script.
 */
export function pathName(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must name a file or a directory.')
  return text
}

/** Whether a text can name a PostgreSQL schema or be a prefix for tables. */
export const isPlaceName = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(text)

/** Accepts the name of a schema. */
export function schemaName(text: string): string {
  if (!isPlaceName(text)) throw new InvalidArgumentError('It must be a name of at most 40 letters, digits and _.')
  return text
}

/** Splits a list such as `a,b` or `a, b`. */
export function commaList(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

/** Like `integer`, for an option that may be given several times. */
export function integers(text: string, before: readonly number[] = []): number[] {
  return [...before, integer(text)]
}

/**
 * Parses degrees such as `45.7578`. The core checks their bounds.
 * @throws InvalidArgumentError
 */
export function degrees(text: string): number {
  if (!/^-?\d{1,3}(?:\.\d{1,15})?$/.test(text)) throw new InvalidArgumentError('It must be degrees, such as 45.7578.')
  return Number(text)
}

/** Collects the texts of an option that may be given several times. */
export function repeatable(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** Parses a duration such as `365d` or `1 year` to whole days. */
export function days(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined || ms % 86_400_000 !== 0)
    throw new InvalidArgumentError("It must be whole days, such as 365d or '1 year'.")
  return ms / 86_400_000
}

/**
 * Accepts a date or an instant as typed, which the core checks. A duration such as `2h` becomes the instant that long
 * ago.
 */
export function sinceWhen(text: string): string {
  const ms = parseDuration(text)
  if (ms !== undefined) return new Date(Date.now() - ms).toISOString()
  if (/^\d{4}-/.test(text)) return text
  throw new InvalidArgumentError(
    "It must be a day (2026-01-15), a time ('2026-01-15 11:30:05', 2026-01-15T10:30:05Z), or how long ago (2h, '3 days').",
  )
}

/**
 * Accepts a day with a time of day, as typed.
 * @throws InvalidArgumentError
 */
export function dayAndTime(text: string): string {
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})[T ](?:[01]\d|2[0-3]):[0-5]\d/.exec(text) ?? []
  if (isDate(day)) return text
  throw new InvalidArgumentError('It must be a day and a time of day, such as 2026-03-16T09:00.')
}

/** Accepts the target of a call: a kind and an id, such as `client:13`. */
export function callTarget(text: string): string {
  if (/^[\w-]+:[\w-]+$/.test(text)) return text
  throw new InvalidArgumentError('It must be a kind and an id, such as client:13 or key:key_….')
}

/** Parses a duration such as `24h` to seconds. */
export function seconds(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined || ms % 1000 !== 0)
    throw new InvalidArgumentError("It must be a duration, such as 24h, 90s or '2 days'.")
  return ms / 1000
}

/** Adds a header, typed as `Name: value`, to those given before. */
export function header(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const colon = text.indexOf(':')
  if (colon < 1) throw new InvalidArgumentError("It must be written 'Name: value'.")
  return { ...before, [text.slice(0, colon).trim()]: text.slice(colon + 1).trim() }
}

/**
 * Whether a text is a URL with one of the protocols.
 * @param protocols such as `https:`
 */
export function isUrl(text: string, protocols: readonly string[]): boolean {
  const url = URL.parse(text)
  return url !== null && protocols.includes(url.protocol) && url.hostname !== ''
}

/** Whether a text is an http or https URL. */
export const isHttpUrl = (text: string): boolean => isUrl(text, ['http:', 'https:'])

/** The fields, with null in place of each ''. */
export function emptied<Fields extends object>(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, value]) => [name, value === '' ? null : value])
  return Object.assign({ ...fields }, Object.fromEntries(entries))
}
