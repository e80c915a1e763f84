import type { Clock } from '../time/clock.js'
import type { Random } from './random.js'

/** Crockford's alphabet in lower case: no i, l, o, u. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * The prefixes of ids: of an event, a delivery, an endpoint, an API key, a replay, an audited call, a user, a session,
 * a passkey.
 */
export const idPrefixes = ['evt', 'dlv', 'wh', 'key', 'rpl', 'aud', 'usr', 'ses', 'psk'] as const
/** The kind of thing that an id names: see `idPrefixes`. */
export type IdPrefix = (typeof idPrefixes)[number]

/** An account's id, which is its name. */
export const accountForm = /^[a-z0-9][a-z0-9_-]{0,62}$/

/** A SHA-256 in hexadecimal digits. */
export const sha256Form = /^[0-9a-f]{64}$/

/** Makes ids such as `evt_…`. */
export type NewId = (prefix: IdPrefix) => string

/** As text, ids sort by the millisecond of their creation: 10 characters of time, 16 of randomness (80 bits). */
export function idMaker(clock: Clock, random: Random): NewId {
  let encoded = { ms: -1, text: '' }
  return (prefix) => {
    const now = clock.now()
    if (now !== encoded.ms) encoded = { ms: now, text: encodeTime(now) }
    let tail = ''
    for (const byte of random(16)) tail += alphabet[byte & 31]
    return `${prefix}_${encoded.text}${tail}`
  }
}

/** The id that sorts before all others of its kind created at `ms` (milliseconds since the Unix epoch) or later. */
export const firstIdAt = (prefix: IdPrefix, ms: number): string => `${prefix}_${encodeTime(ms)}${'0'.repeat(16)}`

/** When an id was created, in milliseconds since the Unix epoch; null for a text that is not an id of that kind. */
export function timeOfId(prefix: IdPrefix, id: string): number | null {
  const digits = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : ''
  if (!/^[0-9a-hjkmnp-tv-z]{26}$/.test(digits)) return null
  let ms = 0
  for (const digit of digits.slice(0, 10)) ms = ms * 32 + alphabet.indexOf(digit)
  return ms
}

function encodeTime(ms: number): string {
  let text = ''
  let rest = ms
  for (let position = 0; position < 10; position += 1) {
    text = alphabet[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}
