import type { Job } from '../../delivery/worker.js'
import type { Storage } from '../../storage.js'
import type { Clock } from '../../time/clock.js'
import { toInstant } from '../../time/time.js'
import type { NewId } from '../../values/ids.js'
import { cancelExpired } from './effects.js'

const everyMs = 30_000
const batch = 100

/**
 * The job that cancels expired proposals, and tells of it. Their time is free even without it. Several processes may
 * run it: each hold is cancelled once.
 */
export function holdsJob({
  storage,
  clock,
  newId,
}: {
  readonly storage: Storage
  readonly clock: Clock
  readonly newId: NewId
}): Job {
  return {
    name: 'holds',
    everyMs,
    async run() {
      for (;;) {
        const at = toInstant(clock.now())
        const expired = await storage.reads.planning.expiredHolds(at, batch)
        for (const hold of expired) await storage.transaction((tx) => cancelExpired(tx, hold, { at, newId }))
        if (expired.length < batch) return
      }
    },
  }
}
