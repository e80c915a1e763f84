import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'

interface UsedCredential {
  readonly account_id: string
  readonly id: string
}

/** Records when keys and sessions were last used, at most once a minute. */
export interface LastUse {
  /** Notes a use in memory only: one entry for each key or session used since the last flush. */
  note(used: UsedCredential): void
  /** Stores the notes. Notes that cannot be stored are kept. */
  flush(): Promise<void>
}

/** Uses per transaction: it takes a few milliseconds, so no caller waits long behind it. */
const batch = 500

export interface LastUseDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** Stores the uses in the transaction. */
  readonly write: (tx: Transaction, uses: readonly (UsedCredential & { readonly at: string })[]) => Promise<void>
}

/** Records the last use of keys, or of sessions. */
export function createLastUse({ storage, clock, write }: LastUseDeps): LastUse {
  /** The last use of each key or session, by its id. */
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
          await storage.transaction((tx) => write(tx, rows))
        }
      } catch (error) {
        for (const [id, use] of uses) if (!noted.has(id)) noted.set(id, use)
        throw error
      }
    },
  }
}
