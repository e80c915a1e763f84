/** Tells the screens that what they show may have changed: by a write of our own, by others', or while nobody looked. */
const listeners = new Set<() => void>()

/** @returns what ends it */
export function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export function changed(): void {
  for (const listener of listeners) listener()
}
