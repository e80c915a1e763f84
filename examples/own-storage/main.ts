import type { Storage } from '@sav/core/ports'

/** A storage in front of another one, which reports the duration of every transaction. */
export function timed(storage: Storage, tell: (ms: number) => void): Storage {
  return {
    ...storage,
    async transaction(work) {
      const began = performance.now()
      try {
        return await storage.transaction(work)
      } finally {
        tell(performance.now() - began)
      }
    },
  }
}
