import { randomFillSync } from 'node:crypto'
import type { LookUp } from '@sav/core/adapter'
import type { Clock, Random } from '@sav/core/ports'
import { Names } from './names/names.js'

/** The machine's time. */
export const systemClock: Clock = {
  now: Date.now,
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    if (delayMs <= 0) {
      const immediate = setImmediate(callback)
      return () => clearImmediate(immediate)
    }
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}

const pool = Buffer.alloc(4096)
let used = pool.length

/** The system's randomness, read 4 KiB at a time: one read for each id took 3 % of a creation. */
export const secureRandom: Random = (length) => {
  if (length > pool.length) return randomFillSync(Buffer.alloc(length))
  if (used + length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = new Uint8Array(pool.subarray(used, used + length))
  pool.fill(0, used, used + length)
  used += length
  return bytes
}

const names = new Names()

/** Looks up receivers' names: see Names. */
export const systemLookUp: LookUp = (hostname, asker) => names.lookUp(hostname, asker)
