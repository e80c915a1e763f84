import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'

interface Owned {
  readonly account_id: string
  readonly id: string
}

/** Notes when keys, or sessions, were last used, once a minute at most. */
export interface LastUse {
  /** Costs nothing but memory: one entry for each that was used since the last flush. */
  note(used: Owned): void
  /** Writes what was noted. What cannot be written stays noted. */
  flush(): Promise<void>
}

/** Uses a transaction: a few milliseconds, so that nobody waits behind it. */
const batch = 500

export interface LastUseDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** Writes them down in the transaction. */
  readonly write: (tx: Transaction, uses: readonly (Owned & { readonly at: string })[]) => Promise<void>
}

export function createLastUse({ storage, clock, write }: LastUseDeps): LastUse {
  /** By id. */
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
