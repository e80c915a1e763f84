import { InvalidArgumentError } from 'commander'
import { parseDuration } from './duration.js'

/** A whole number; its bounds are the core's to judge. */
export function integer(text: string): number {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('It must be a whole number.')
  return value
}

/** `a,b` and `a, b`. */
export function commaList(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

/** For an option that may be given several times. */
export function repeatable(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** `365d` as days. */
export function days(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined || ms % 86_400_000 !== 0) throw new InvalidArgumentError('It must be whole days, such as 365d.')
  return ms / 86_400_000
}

/** `24h` as seconds. */
export function seconds(text: string): number {
  const ms = parseDuration(text)
  if (ms === undefined || ms % 1000 !== 0) throw new InvalidArgumentError('It must be a duration, such as 24h or 90s.')
  return ms / 1000
}

/** `Name: value`, collected into one record. */
export function header(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const colon = text.indexOf(':')
  if (colon < 1) throw new InvalidArgumentError("It must be written 'Name: value'.")
  return { ...before, [text.slice(0, colon).trim()]: text.slice(colon + 1).trim() }
}
