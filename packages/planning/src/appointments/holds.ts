import { type Job, type NewId, toInstant } from '@sav/core/feature'
import type { Clock, Storage } from '@sav/core/ports'
import { cancelExpired } from './effects.js'
import { planningStore } from './planning-store.js'

const everyMs = 30_000
const batch = 100

/**
 * The job that cancels expired proposals, with their events. The time of an expired proposal is free even before the
 * job runs. Several processes may run it: each hold is cancelled once.
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
        const expired = await storage.reads.of(planningStore).expiredHolds(at, batch)
        for (const hold of expired) await storage.transaction((tx) => cancelExpired(tx, hold, { at, newId }))
        if (expired.length < batch) return
      }
    },
  }
}
