import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'

/** The name of the fact with the instant of the latest erasure. It is emptied when the erased data is overwritten. */
const fact = 'erased_and_not_scrubbed'

export const noteErasure = (tx: Transaction, at: string): Promise<void> => tx.facts.set(fact, at)

/**
 * How long the caller of an erasure waits until the store's files are overwritten. In a large store, the overwriting
 * continues after the answer.
 */
const patienceMs = 2000

/** Like `scrubErased`, but resolves after two seconds at the latest, and never rejects. */
export const beginScrubbing = (storage: Storage, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.after(patienceMs, resolve)
    scrubErased(storage)
      .catch(() => {})
      .then(cancel)
      .then(resolve)
  })

/**
 * Overwrites erased data in the store's files, if there was an erasure since the last time. A call that a crash
 * interrupts is repeated later.
 */
export async function scrubErased({ reads, transaction, scrub }: Storage): Promise<void> {
  const erasedAt = await reads.facts.get(fact)
  if (erasedAt === null || erasedAt === '') return
  await scrub()
  await transaction(async (tx) => {
    if ((await tx.facts.get(fact)) === erasedAt) await tx.facts.set(fact, '')
  })
}
