import type { Storage, Transaction } from '../storage.js'

/** The instant of the latest erasure, until the store's files no longer hold its data. */
const fact = 'erased_and_not_scrubbed'

export const noteErasure = (tx: Transaction, at: string): Promise<void> => tx.facts.set(fact, at)

/** Overwrites in the store's files what erasures deleted, if there were any. After a crash it is done again. */
export async function scrubErased({ reads, transaction, scrub }: Storage): Promise<void> {
  const erasedAt = await reads.facts.get(fact)
  if (erasedAt === null || erasedAt === '') return
  await scrub()
  await transaction(async (tx) => {
    if ((await tx.facts.get(fact)) === erasedAt) await tx.facts.set(fact, '')
  })
}
