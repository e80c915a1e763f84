import type { Clock } from '../clock.js'
import type { Storage } from '../storage.js'
import { toInstant } from '../time.js'
import type { ApiKeyRecord } from './api-key.js'

type Key = Pick<ApiKeyRecord, 'account_id' | 'id'>

/** Notes when keys were last used, once a minute at most. */
export interface KeyUse {
  /** Costs nothing but memory: one entry for each key that was used since the last flush. */
  note(key: Key): void
  /** Writes what was noted. What cannot be written stays noted. */
  flush(): Promise<void>
}

/** Keys a transaction: a few milliseconds, so that nobody waits behind it. */
const batch = 500

export function createKeyUse({ storage, clock }: { storage: Storage; clock: Clock }): KeyUse {
  /** By the key's id. */
  const noted = new Map<string, { readonly account_id: string; readonly ms: number }>()

  return {
    note({ account_id, id }) {
      noted.set(id, { account_id, ms: clock.now() })
    },
    async flush() {
      const uses = [...noted]
      noted.clear()
      try {
        for (; uses.length > 0; uses.splice(0, batch)) {
          const rows = uses.slice(0, batch).map(([id, { account_id, ms }]) => ({ account_id, id, at: toInstant(ms) }))
          await storage.transaction((tx) => tx.keys.noteUse(rows))
        }
      } catch (error) {
        for (const [id, use] of uses) if (!noted.has(id)) noted.set(id, use)
        throw error
      }
    },
  }
}
