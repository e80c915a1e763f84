import { expiryNoticeMs } from '../access/api-keys.js'
import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { Notify } from './notices.js'

/** Warns once of each key that expires soon. */
export function createKeyWarnings({
  storage,
  clock,
  notify,
}: {
  readonly storage: Storage
  readonly clock: Clock
  readonly notify: Notify
}): () => Promise<void> {
  return async () => {
    const now = toInstant(clock.now())
    const soon = toInstant(clock.now() + expiryNoticeMs)
    for (const { id: account_id } of await storage.reads.accounts.list()) {
      for (const { id, nom, expires_at, revoked_at } of await storage.reads.keys.list(account_id)) {
        if (revoked_at !== null || expires_at <= now || expires_at > soon) continue
        const fact = `key_expiry_notice ${id}`
        if ((await storage.reads.facts.get(fact)) === expires_at) continue
        await storage.transaction(async (tx) => {
          if ((await tx.facts.get(fact)) === expires_at) return
          await tx.facts.set(fact, expires_at)
          await notify(tx, account_id, { type: 'key_expires', nom, date: expires_at })
        })
      }
    }
  }
}
