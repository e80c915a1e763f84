import * as z from 'zod'
import { UnavailableError } from './errors.js'
import { TtlCache } from './running/ttl-cache.js'
import type { Storage } from './storage.js'
import type { Clock } from './time/clock.js'
import { toInstant } from './time/time.js'
import { named } from './values/shape.js'

/** The answer of a process that is ready. */
export const readinessShape = named(
  'Readiness',
  () =>
    z.object({
      ecart_horloge_ms: z
        .int()
        .nullable()
        .describe(
          'How far the clock of the database is ahead of that of this process, in milliseconds; negative: behind. ' +
            'Null if both are the same clock.',
        ),
    }),
  { ecart_horloge_ms: 3 },
)

/** How long an answer of the database is reused, so that frequent checks do not make it write. */
const writtenForMs = 1000

/** The database's record of the last successful write by a service. */
const writtenFact = 'last_ready_at'

/** The parts that `readiness` checks. */
export interface ReadinessDeps {
  readonly storage: Pick<Storage, 'transaction' | 'damage'>
  readonly clock: Clock
  /** The worker, with its `heartbeat` in milliseconds since the Unix epoch. Null in a process without a worker. */
  readonly worker: { readonly heartbeat: number } | null
  /** The time limit of an attempt at a webhook. */
  readonly timeoutMs: number
}

/**
 * The check of `/readyz`. It resolves while the database takes writes (a full disk can still be read), no damage was
 * found and, in a process with a worker, the worker looks at the queue. Otherwise it rejects with UnavailableError.
 */
export function readiness({ storage, clock, worker, timeoutMs }: ReadinessDeps): () => Promise<void> {
  // The worker looks at the queue several times a second, unless all its attempts hang until their time limit.
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
