/**
 * Notifies the screens that their data may have changed: by our own write, by others', or while the page was hidden.
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
