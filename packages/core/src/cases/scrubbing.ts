import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'

/** The instant of the latest erasure, until the store's files no longer hold its data. */
const fact = 'erased_and_not_scrubbed'

export const noteErasure = (tx: Transaction, at: string): Promise<void> => tx.facts.set(fact, at)

/** How long the caller of an erasure waits for the store's files. In a large store that goes on behind the answer. */
const patienceMs = 2000

/** As `scrubErased`, but it resolves after two seconds at the latest, and never rejects. */
export const beginScrubbing = (storage: Storage, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.after(patienceMs, resolve)
    scrubErased(storage)
      .catch(() => {})
      .then(cancel)
      .then(resolve)
  })

/** Overwrites in the store's files what erasures deleted, if there were any. After a crash it is done again. */
export async function scrubErased({ reads, transaction, scrub }: Storage): Promise<void> {
  const erasedAt = await reads.facts.get(fact)
  if (erasedAt === null || erasedAt === '') return
  await scrub()
  await transaction(async (tx) => {
    if ((await tx.facts.get(fact)) === erasedAt) await tx.facts.set(fact, '')
  })
}
