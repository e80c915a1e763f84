import { UnavailableError } from './errors.js'
import { TtlCache } from './running/ttl-cache.js'
import type { Storage } from './storage.js'
import type { Clock } from './time/clock.js'
import { toInstant } from './time/time.js'

/** How long an answer of the database counts, so that nobody can make it write by asking often. */
const writtenForMs = 1000

/** The database's own note of the last time that a service could write to it. */
const writtenFact = 'last_ready_at'

/** What `readiness` tries and watches. */
export interface ReadinessDeps {
  readonly storage: Pick<Storage, 'transaction' | 'damage'>
  readonly clock: Clock
  /** Its `heartbeat` in milliseconds since the Unix epoch. Null in a process without one. */
  readonly worker: { readonly heartbeat: number } | null
  /** A whole attempt at a webhook. */
  readonly timeoutMs: number
}

/**
 * What `/readyz` asks: resolves while the database can be written to (a full disk can still be read from) and, in a
 * process with a worker, the worker looks at the queue, and nothing has met a damage of it; rejects with UnavailableError
 * otherwise.
 */
export function readiness({ storage, clock, worker, timeoutMs }: ReadinessDeps): () => Promise<void> {
  // The worker looks several times a second, unless it has as many attempts under way as it may, and all of them hang.
  const maxSilenceMs = timeoutMs + 5000
  const tried = new TtlCache<typeof writtenFact, Promise<void>>(clock, writtenForMs)

  return async () => {
    let written = tried.get(writtenFact)
    if (written === undefined) {
      written = storage.transaction((tx) => tx.facts.set(writtenFact, toInstant(clock.now())))
      tried.set(writtenFact, written)
    }
    await written
    const damage = storage.damage?.() ?? null
    if (damage !== null) throw new UnavailableError(damage, { retryAfterSeconds: 60, damaged: true })
    if (worker !== null && clock.now() - worker.heartbeat > maxSilenceMs)
      throw new UnavailableError('The worker does not answer.', { retryAfterSeconds: 5 })
  }
}
