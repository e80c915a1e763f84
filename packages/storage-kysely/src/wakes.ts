/** Lets processes tell each other that there is something to deliver. */
export interface Wakes {
  /** As `DeliveryQueue.watch` promises it. */
  watch(wake: () => void): () => void
  /** Called after a commit that left something to deliver. */
  announce(): void
}

/** For databases through which processes cannot tell each other: whoever waits polls. */
export const noWakes: Wakes = {
  watch: () => () => {},
  announce() {},
}
