import type { Clock, Storage } from '../ports.js'
import { toInstant } from '../time.js'
import type { Replays } from './replays.js'

const day = 86_400_000

/** How long a delivery waits for its disabled endpoint to be enabled again. */
const waitMs = 30 * day
const keepDeliveredMs = 30 * day
const keepFailedMs = 90 * day

/** Rows a transaction: a few milliseconds, so that nobody waits behind it. */
const batch = 500

/** Between two batches, so that live traffic comes first. */
const breathMs = 20
const pollMs = 1000
const expireEveryMs = 60_000
const purgeEveryMs = day

/** Work that nobody waits for. */
export interface Upkeep {
  start(): void
  /** Resolves when the batch under way has ended. */
  stop(): Promise<void>
}

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
  readonly fault: (error: unknown) => void
}

/** Replays step by step, and what has to go. Several processes may do it at once: each batch is a transaction. */
export function createUpkeep({ storage, clock, replays, fault }: UpkeepDeps): Upkeep {
  const retention = createRetention({ storage, clock })
  let running = false
  let underWay = Promise.resolve()
  let cancel = () => {}
  let expireAt = 0
  let purgeAt = 0

  async function round(): Promise<number> {
    if (clock.now() >= expireAt) {
      await expireWaiting({ storage, clock })
      expireAt = clock.now() + expireEveryMs
    }
    if (clock.now() >= purgeAt) {
      await retention.purge()
      purgeAt = clock.now() + purgeEveryMs
    }
    return (await replays.step()) ? breathMs : pollMs
  }

  function schedule(delayMs: number): void {
    if (!running) return
    cancel = clock.after(delayMs, () => {
      underWay = round()
        .catch((error: unknown) => {
          fault(error)
          return pollMs
        })
        .then(schedule)
    })
  }

  return {
    start() {
      running = true
      schedule(pollMs)
    },
    async stop() {
      running = false
      cancel()
      await underWay
    },
  }
}

function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve))
}
