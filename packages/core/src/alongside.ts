import type { Storage, Transaction } from './ports.js'

/** Called in a transaction, just before it commits. */
export type Finish = (tx: Transaction, result: unknown) => Promise<void>

/**
 * The same store, with something more in each transaction: `finish` gets what the transaction's work resolved to, and
 * rolls everything back when it rejects. As the work itself, it may run again after a conflict.
 */
export function alongside(storage: Storage, finish: Finish): Storage {
  const { accounts, keys, audit, answers, directory, cases, files, evidence, reports, webhooks, queue } = storage
  const reads = { accounts, keys, audit, answers, directory, cases, files, evidence, reports, webhooks }
  return {
    ...reads,
    queue,
    processes: storage.processes,
    fact: (name) => storage.fact(name),
    transaction: (work) =>
      storage.transaction(async (tx) => {
        const result = await work(tx)
        await finish(tx, result)
        return result
      }),
    ping: () => storage.ping(),
    close: () => storage.close(),
  }
}
