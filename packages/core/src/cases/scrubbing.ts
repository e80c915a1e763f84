import type { Storage, Transaction } from '../storage.js'

/** Holds the instant of the latest erasure until the store's files are rid of what it deleted. */
const fact = 'erased_and_not_scrubbed'

export const noteErasure = (tx: Transaction, at: string): Promise<void> => tx.facts.set(fact, at)

/** Rids the store's files of what erasures deleted, if there were any. What a crash interrupts is done again. */
export async function scrubErased({ reads, transaction, scrub }: Storage): Promise<void> {
  const erasedAt = await reads.facts.get(fact)
  if (erasedAt === null || erasedAt === '') return
  await scrub()
  await transaction(async (tx) => {
    if ((await tx.facts.get(fact)) === erasedAt) await tx.facts.set(fact, '')
  })
}
