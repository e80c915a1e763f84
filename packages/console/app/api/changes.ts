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

/** How old what is shown may be while no event tells of changes. */
const pollMs = 20_000

/** Looks again from time to time while the page is seen, and at once when somebody comes back to it. */
export function watchChanges(): void {
  const isSeen = () => document.visibilityState === 'visible'
  setInterval(() => isSeen() && changed(), pollMs)
  document.addEventListener('visibilitychange', () => isSeen() && changed())
  addEventListener('online', changed)
}
