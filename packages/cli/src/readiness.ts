import { UnavailableError } from '@sav/core'
import type { Clock, Storage } from '@sav/core/ports'
import type { Settings } from './settings.js'

/** How long an answer of the database is believed, so that nobody can make it write by asking often. */
const believedMs = 1000

/** The database's own note of the last time that a service could write to it. */
const writtenFact = 'last_ready_at'

interface Parts {
  readonly storage: Pick<Storage, 'transaction'>
  readonly clock: Clock
  /** Null in a process without one. */
  readonly worker: { readonly heartbeat: number } | null
}

/**
 * What `/readyz` asks: resolves while the database can be written to (a full disk can still be read from) and, in a
 * process with a worker, the worker looks at the queue; rejects with UnavailableError otherwise.
 */
export function readiness(
  { storage, clock, worker }: Parts,
  { webhookTimeoutMs }: Pick<Settings, 'webhookTimeoutMs'>,
): () => Promise<void> {
  // The worker looks several times a second, unless all its places are taken by attempts that all hang.
  const longestSilenceMs = webhookTimeoutMs + 5000
  let written = Promise.resolve()
  let writtenUntil = 0

  return async () => {
    const now = clock.now()
    if (now >= writtenUntil) {
      writtenUntil = now + believedMs
      written = storage.transaction((tx) => tx.setFact(writtenFact, new Date(now).toISOString()))
    }
    await written
    if (worker !== null && now - worker.heartbeat > longestSilenceMs)
      throw new UnavailableError('The worker does not answer.', { retryAfterSeconds: 5 })
  }
}
