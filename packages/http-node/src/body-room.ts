import type { BodyRoom } from './exchange.js'

/** What one call holds of the room, until it leaves. */
export interface Share extends BodyRoom {
  leave(): void
}

/** Room for `maxBytes` of bodies at once, over all calls. */
export function bodyRoom(maxBytes: number): () => Share {
  let taken = 0
  return () => {
    let share = 0
    return {
      take(bytes) {
        if (taken + bytes > maxBytes) return false
        taken += bytes
        share += bytes
        return true
      },
      leave() {
        taken -= share
        share = 0
      },
    }
  }
}
