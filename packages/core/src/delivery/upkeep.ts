import type { Storage } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { dayMs, toInstant } from '../time/time.js'
import { createReplaySteps } from './replays.js'
import type { Job } from './worker.js'

/** How long deliveries to a disabled endpoint wait for it to be enabled. */
const waitMs = 30 * dayMs
const keepDeliveredMs = 30 * dayMs
const keepFailedMs = 90 * dayMs
/** How long the audit is kept: thirteen months. */
const keepAuditMs = 396 * dayMs
/** How long an answer is kept for a repeated request. */
const keepAnswersMs = dayMs
/** Rows per transaction: it takes a few milliseconds, so nothing waits long behind it. */
const batch = 500

/** The pause between two batches, so that live traffic goes first. */
const breathMs = 20
const replayEveryMs = 1000
const expireEveryMs = 60_000
const purgeEveryMs = dayMs

/** Rows kept for a limited time, as a feature provides them. */
export interface KeptRows {
  /** How many rows `purge` would delete now. */
  purgeable(): Promise<number>
  /** Deletes at most `limit` rows of each kind. Resolves to the number deleted; 0 when none is left. */
  purge(limit: number): Promise<number>
}

/** Deletes and counts old deliveries and old rows of features. */
export interface Retention {
  purgeable(): Promise<number>
  /** @param progress called after each batch with the number of rows deleted so far */
  purge(progress?: (deleted: number) => void): Promise<number>
}

export interface RetentionDeps {
  readonly storage: Storage
  readonly clock: Clock
  /** The rows of features. */
  readonly kept: readonly KeptRows[]
}

export function createRetention({ storage, clock, kept }: RetentionDeps): Retention {
  const before = (keptMs: number) => toInstant(clock.now() - keptMs)
  const deliveryBounds = () => ({ deliveredBefore: before(keepDeliveredMs), failedBefore: before(keepFailedMs) })

  /** Deletes one batch of each kind. Resolves to the number of rows deleted. */
  async function purgeBatch(): Promise<number> {
    const deliveries = await storage.queue.purge({ ...deliveryBounds(), limit: batch })
    const calls = await storage.transaction((tx) => tx.audit.purge(before(keepAuditMs), batch))
    const answers = await storage.transaction((tx) => tx.idempotency.purge(before(keepAnswersMs), batch))
    let gone = deliveries + calls + answers
    for (const rows of kept) gone += await rows.purge(batch)
    return gone
  }

  return {
    async purgeable() {
      const deliveries = await storage.queue.purgeable(deliveryBounds())
      const calls = await storage.reads.audit.purgeable(before(keepAuditMs))
      const answers = await storage.reads.idempotency.purgeable(before(keepAnswersMs))
      const ofFeatures = await Promise.all(kept.map((rows) => rows.purgeable()))
      return ofFeatures.reduce((sum, count) => sum + count, deliveries + calls + answers)
    },
    async purge(progress) {
      let deleted = 0
      for (;;) {
        const gone = await purgeBatch()
        if (gone === 0) return deleted
        deleted += gone
        progress?.(deleted)
        await pause(clock, breathMs)
      }
    },
  }
}

/**
 * Fails the deliveries that will never be attempted, because their endpoint is removed or has been disabled for too
 * long.
 */
export async function expireWaiting({
  storage,
  clock,
}: {
  readonly storage: Pick<Storage, 'queue'>
  readonly clock: Clock
}): Promise<void> {
  for (;;) {
    const now = clock.now()
    const bounds = { now: toInstant(now), disabledBefore: toInstant(now - waitMs), limit: batch }
    if ((await storage.queue.expire(bounds)) < batch) return
    await pause(clock, breathMs)
  }
}

/** A worker's jobs on deliveries, besides sending them. Several processes may run them: each step is a transaction. */
export function deliveryJobs(deps: RetentionDeps): Job[] {
  const { storage, clock } = deps
  const retention = createRetention(deps)
  return [
    { name: 'replays', everyMs: replayEveryMs, run: createReplaySteps({ storage, clock }) },
    { name: 'expiry', everyMs: expireEveryMs, run: () => expireWaiting({ storage, clock }) },
    { name: 'retention', everyMs: purgeEveryMs, run: () => retention.purge() },
  ]
}

function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve))
}
