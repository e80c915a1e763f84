import { dayMs, type KeptRows, toInstant } from '@sav/core/feature'
import type { Clock, Storage } from '@sav/core/ports'
import { keepDevicesMs } from './ending.js'
import { sessionStore } from './session-store.js'

/** How long unused sessions are kept. They have ended long before. */
const keepSessionsMs = dayMs

/** Sessions that have long ended, and attempts to begin one that have expired. */
export function keptSessions({
  storage,
  clock,
}: {
  readonly storage: Pick<Storage, 'reads' | 'transaction'>
  readonly clock: Pick<Clock, 'now'>
}): KeptRows {
  const before = (keptMs: number) => toInstant(clock.now() - keptMs)
  const bounds = () => ({ before: before(keepSessionsMs), devicesBefore: before(keepDevicesMs) })
  return {
    purgeable: () => storage.reads.of(sessionStore).purgeable(bounds()),
    purge: (limit) => storage.transaction((tx) => tx.of(sessionStore).purge(bounds(), limit)),
  }
}
