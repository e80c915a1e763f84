import { dayMs, type KeptRows, toInstant } from '@sav/core/feature'
import type { Clock, Storage } from '@sav/core/ports'
import { keepDevicesMs } from './ending.js'
import { sessionStore } from './session-store.js'

/** How long sessions are kept after their last use, which is longer than they are valid. */
const keepSessionsMs = dayMs

/** Sessions that ended long ago, and expired attempts to begin one. */
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
