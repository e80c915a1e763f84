import { AsyncLocalStorage } from 'node:async_hooks'
import { UnavailableError } from '../errors.js'
import type { Storage } from '../storage.js'
import { memoryQueue } from './memory/queue.js'
import { Tables } from './memory/tables.js'
import { repositoriesOn } from './repositories.js'

/**
 * A store that forgets everything with the process, for tests. It keeps every promise of the port but durability.
 * Transactions run one after the other. It uses neither time nor chance nor timers: everything resolves by microtasks.
 */
export function memoryStorage(): Storage {
  const committed = new Tables()
  const scope = new AsyncLocalStorage<{ open: boolean }>()
  const watchers = new Set<() => void>()
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  /** In the order of the calls, each one after the end of those before it. */
  async function alone<T>(work: () => T | Promise<T>): Promise<T> {
    if (closed) throw unavailable()
    if (scope.getStore()?.open) throw new Error('A transaction is open here already: use its `tx`.')
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }

  function watch(wake: () => void): () => void {
    // A function of its own, since the same `wake` may be given twice.
    const watcher = () => wake()
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }

  return {
    reads: repositoriesOn(committed),
    transaction: (work) =>
      alone(async () => {
        const draft = new Tables(committed)
        const transaction = { open: true }
        try {
          const result = await scope.run(transaction, () => work(repositoriesOn(draft)))
          draft.commit()
          if (draft.leavesDue) for (const wake of watchers) wake()
          return result
        } finally {
          transaction.open = false
        }
      }),
    queue: memoryQueue(committed, alone, watch),
    async ping() {
      if (closed) throw unavailable()
    },
    async scrub() {},
    async close() {
      closed = true
      await last
    },
  }
}

function unavailable(): UnavailableError {
  return new UnavailableError('The store is closed.', { retryAfterSeconds: 1 })
}
