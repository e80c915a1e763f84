import type { Random } from '../values/random.js'

/**
 * Pseudo-random bytes, the same for the same `seed` (an unsigned 32-bit integer), for repeatable tests; never for
 * secrets.
 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  /** Mulberry32, by Tommy Ettinger (public domain). */
  function nextByte(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) & 0xff
  }
  return (length) => Uint8Array.from({ length }, nextByte)
}
