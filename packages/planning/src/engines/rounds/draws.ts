/** The next number of a series, in [0, 1). */
export type Draw = () => number

/**
 * A series determined by its `seed` (an unsigned 32-bit integer): mulberry32 by Tommy Ettinger, in the public domain.
 */
export function seededDraws(seed: number): Draw {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
