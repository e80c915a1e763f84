import { nodeCrypto } from '../node-crypto.js'
import type { Random } from '../values/random.js'

const prefix = 'sav_live_'
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checksumLength = 6
const keyLength = prefix.length + secretLength + checksumLength

/**
 * `sav_live_`, 32 random bytes in base62, and a checksum of six characters, so that scanners can recognise a key and
 * typing errors are detected.
 */
export function generateKey(random: Random): string {
  const body = toBase62(random(32), secretLength)
  return `${prefix}${body}${checksum(body)}`
}

/** False for a mistyped key. */
export function isKey(text: string): boolean {
  if (text.length !== keyLength || !text.startsWith(prefix)) return false
  return text.slice(-checksumLength) === checksum(text.slice(prefix.length, -checksumLength))
}

function checksum(body: string): string {
  return toBase62(nodeCrypto().hash('sha256', `${prefix}${body}`, 'buffer').subarray(0, 4), checksumLength)
}

function toBase62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  while (text.length < length) {
    text = base62.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return text
}
