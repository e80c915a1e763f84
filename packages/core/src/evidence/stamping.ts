import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { Timestamper } from './timestamper.js'

/**
 * Lets an outside authority stamp the newest entry of every account's chain (RFC 3161). Each entry links to the
 * previous one, so one stamp covers all of them. Does nothing without new entries.
 */
export function createStamping(deps: {
  readonly storage: Storage
  readonly clock: Clock
  readonly timestamper: Timestamper
}): () => Promise<void> {
  const { storage, clock, timestamper } = deps
  return async () => {
    for (const { id: account_id } of await storage.reads.accounts.list()) {
      const head = await storage.reads.evidence.head(account_id)
      const latest = await storage.reads.evidence.latestStamp(account_id)
      if (head === null || head.sequence === latest?.sequence) continue
      const { sequence, hash_entree } = head
      const token = await timestamper.stamp(hash_entree)
      const date = toInstant(clock.now())
      await storage.transaction((tx) => tx.evidence.addStamp({ account_id, sequence, hash_entree, date, token }))
    }
  }
}
