import { createLoop, type Loop } from '../loop.js'
import type { Clock, Storage } from '../ports.js'
import { toInstant } from '../time.js'
import type { Replays } from './replays.js'

const day = 86_400_000

/** How long a delivery waits for its disabled endpoint to be enabled again. */
const waitMs = 30 * day
const keepDeliveredMs = 30 * day
const keepFailedMs = 90 * day
/** Thirteen months. */
const keepAuditMs = 396 * day
/** How long a repeated request gets the answer that was kept. */
const keepAnswersMs = day

/** Rows a transaction: a few milliseconds, so that nobody waits behind it. */
const batch = 500

/** Between two batches, so that live traffic comes first. */
const breathMs = 20
const pollMs = 1000
const expireEveryMs = 60_000
const purgeEveryMs = day
const stampEveryMs = 3_600_000

/** Old deliveries, and how many would go. */
export interface Retention {
  purgeable(): Promise<number>
  /** @param progress called after each batch with the number of rows deleted so far */
  purge(progress?: (deleted: number) => void): Promise<number>
}

export function createRetention({ storage, clock }: { storage: Storage; clock: Clock }): Retention {
  const bounds = () => ({
    deliveredBefore: toInstant(clock.now() - keepDeliveredMs),
    failedBefore: toInstant(clock.now() - keepFailedMs),
    auditBefore: toInstant(clock.now() - keepAuditMs),
    answersBefore: toInstant(clock.now() - keepAnswersMs),
  })
  return {
    purgeable: () => storage.queue.purgeable(bounds()),
    async purge(progress) {
      let deleted = 0
      for (;;) {
        const gone = await storage.queue.purge({ ...bounds(), limit: batch })
        if (gone === 0) return deleted
        deleted += gone
        progress?.(deleted)
        await pause(clock, breathMs)
      }
    },
  }
}

/** Fails what will not be attempted any more, because its endpoint is removed or disabled for too long. */
export async function expireWaiting({ storage, clock }: { storage: Storage; clock: Clock }): Promise<void> {
  for (;;) {
    const now = clock.now()
    const bounds = { now: toInstant(now), disabledBefore: toInstant(now - waitMs), limit: batch }
    if ((await storage.queue.expire(bounds)) < batch) return
    await pause(clock, breathMs)
  }
}

export interface UpkeepDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly replays: Pick<Replays, 'step'>
  /** Has the chains of evidence stamped. */
  readonly stamp: () => Promise<void>
  /** Writes a notice for each key that is about to expire. */
  readonly warnOfKeys: () => Promise<void>
  readonly fault: (error: unknown) => void
}

/**
 * Work that nobody waits for: replays step by step, and what has to go. Several processes may do it at once: each batch
 * is a transaction.
 */
export function createUpkeep({ storage, clock, replays, stamp, warnOfKeys, fault }: UpkeepDeps): Loop {
  const retention = createRetention({ storage, clock })
  let expireAt = 0
  let purgeAt = 0
  let stampAt = 0

  async function round(): Promise<number> {
    if (clock.now() >= expireAt) {
      await expireWaiting({ storage, clock })
      expireAt = clock.now() + expireEveryMs
    }
    if (clock.now() >= purgeAt) {
      await warnOfKeys()
      await retention.purge()
      purgeAt = clock.now() + purgeEveryMs
    }
    if (clock.now() >= stampAt) {
      // First, so that an authority that is away is asked again in an hour, and not each second.
      stampAt = clock.now() + stampEveryMs
      await stamp()
    }
    return (await replays.step()) ? breathMs : pollMs
  }

  return createLoop({ clock, firstDelayMs: pollMs, round, fault })
}

function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve))
}
