/** Wakes the workers when a commit has left something to deliver. */
export interface Wakes {
  /** Fulfils `DeliveryQueue.watch`. */
  watch(wake: () => void): () => void
  /** Call it right after each commit that left something due. */
  announce(): void
}

/** For a caller's commits, which are not announced. */
export const noWakes: Wakes = {
  watch: () => () => {},
  announce() {},
}

/** Wakes the watchers of this process. Other processes on the same SQLite file poll. */
export class ProcessWakes implements Wakes {
  readonly #watchers = new Set<() => void>()

  get isWatched(): boolean {
    return this.#watchers.size > 0
  }

  watch(wake: () => void): () => void {
    // A new function, because the same `wake` may be passed twice.
    const watcher = () => wake()
    this.#watchers.add(watcher)
    return () => {
      this.#watchers.delete(watcher)
    }
  }

  announce(): void {
    for (const watcher of this.#watchers) watcher()
  }
}
