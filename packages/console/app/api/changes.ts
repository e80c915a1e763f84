/**
 * Called when the data of the screens may have changed: by a write of this user, by a write of others, or while the
 * page was hidden.
 */
const listeners = new Set<() => void>()

/** @returns a function that stops the notifications */
export function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export function changed(): void {
  for (const listener of listeners) listener()
}
