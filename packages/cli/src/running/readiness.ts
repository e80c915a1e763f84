import { Believed, UnavailableError } from '@sav/core'
import type { Clock, Storage } from '@sav/core/ports'
import type { Settings } from '../settings/settings.js'

/** How long an answer of the database counts, so that nobody can make it write by asking often. */
const writtenForMs = 1000

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
  // The worker looks several times a second, unless it has as many attempts under way as it may, and all of them hang.
  const maxSilenceMs = webhookTimeoutMs + 5000
  const tried = new Believed<typeof writtenFact, Promise<void>>(clock, writtenForMs)

  return async () => {
    const now = clock.now()
    let written = tried.get(writtenFact)
    if (written === undefined) {
      written = storage.transaction((tx) => tx.facts.set(writtenFact, new Date(now).toISOString()))
      tried.set(writtenFact, written)
    }
    await written
    if (worker !== null && now - worker.heartbeat > maxSilenceMs)
      throw new UnavailableError('The worker does not answer.', { retryAfterSeconds: 5 })
  }
}
