import { isIP } from 'node:net'
import { parseRateLimit, type RateLimit } from '@sav/core/adapter'
import { parseDuration } from '../syntax/duration.js'
import { isHttpUrl } from '../syntax/values.js'

/** Extends a parser, so that an empty text gives null. */
export function orNull<T>(parse: (text: string) => T | undefined): (text: string) => T | null | undefined {
  return (text) => (text === '' ? null : parse(text))
}

/** Parses a list such as `a,b` or `a, b`. An empty text is an empty list; undefined if a part is not valid. */
export function listOf(isValid: (part: string) => boolean): (text: string) => string[] | undefined {
  return (text) => {
    if (text === '') return []
    const parts = text.split(',').map((part) => part.trim())
    return parts.every(isValid) ? parts : undefined
  }
}

/** Accepts a valid text, and keeps it unchanged. */
export function textThat(isValid: (text: string) => boolean): (text: string) => string | undefined {
  return (text) => (isValid(text) ? text : undefined)
}

export function parseOnOff(text: string): boolean | undefined {
  return /^[01]$/.test(text) ? text === '1' : undefined
}

function integerBetween(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

export function parsePort(text: string): number | undefined {
  return integerBetween(text, 0, 65_535)
}

/**
 * Parses a duration to milliseconds.
 * @param min in milliseconds, inclusive
 * @param max in milliseconds, inclusive
 */
export function durationBetween(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const ms = parseDuration(text)
    return ms !== undefined && ms >= min && ms <= max ? ms : undefined
  }
}

/** Parses the schedule of attempts: the time of each after the event, in milliseconds. */
export function parseSchedule(text: string): number[] | undefined {
  const offsets = text.split(',').map((part) => parseDuration(part.trim()) ?? Number.NaN)
  const ascending = offsets.every((offset, index) => offset >= (offsets[index - 1] ?? 0))
  return ascending && offsets[0] === 0 && offsets.length <= 100 ? offsets : undefined
}

export function parseConcurrency(text: string): { readonly total: number; readonly perTarget: number } | undefined {
  const [total, perTarget, ...rest] = text.split(',').map((part) => integerBetween(part.trim(), 1, 10_000))
  if (total === undefined || perTarget === undefined || rest.length > 0 || perTarget > total) return undefined
  return { total, perTarget }
}

/** Parses `HOST:PORT`. An IPv6 address must be in brackets. */
export function parseAddress(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, bracketed, plain, digits = ''] = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+)):(\d+)$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = parsePort(digits)
  return host === undefined || port === undefined ? undefined : { host, port }
}

/** Whether a text is an IP address or a CIDR. */
export function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return rest.length === 0 && integerBetween(bits ?? '0', 0, maxBits) !== undefined
}

/** Decodes a secret key: 32 bytes in base64. */
export function parseSecretKey(text: string): Uint8Array | undefined {
  const key = Buffer.from(text, 'base64')
  return key.length === 32 && /^[A-Za-z0-9+/]{43}=?$/.test(text) ? key : undefined
}

/** Whether a text is an origin such as `https://app.example`, with nothing after its host and port. */
export function isOrigin(text: string): boolean {
  return isHttpUrl(text) && URL.parse(text)?.origin === text
}

export function rateLimitOf(text: string): RateLimit | undefined {
  try {
    return parseRateLimit(text)
  } catch {
    return undefined
  }
}
