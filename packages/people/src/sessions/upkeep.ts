import { dayMs, toInstant } from '@sav/core/feature'
import type { Clock, Storage } from '@sav/core/ports'
import { keepDevicesMs } from './ending.js'
import { sessionStore } from './session-store.js'

/** How long unused sessions are kept. They have ended long before. */
const keepSessionsMs = dayMs
/** Rows in a transaction of a few milliseconds, so that nothing waits long behind it. */
const batch = 500

/** Deletes sessions that have long ended, and attempts to begin one that have expired. */
export async function purgeSessions({
  storage,
  clock,
}: {
  readonly storage: Pick<Storage, 'transaction'>
  readonly clock: Pick<Clock, 'now'>
}): Promise<void> {
  const before = (keptMs: number) => toInstant(clock.now() - keptMs)
  const bounds = () => ({ before: before(keepSessionsMs), devicesBefore: before(keepDevicesMs) })
  while ((await storage.transaction((tx) => tx.of(sessionStore).purge(bounds(), batch))) > 0);
}
