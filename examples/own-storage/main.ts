import type { Storage } from '@sav/core/ports'

/** A storage in front of another one, which tells of every transaction how long it took. */
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
