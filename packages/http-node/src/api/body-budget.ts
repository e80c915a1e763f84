import type { BodyBudget } from './exchange.js'

/** What one call takes of the budget, until it is released. */
export interface BodyReservation extends BodyBudget {
  release(): void
}

/** A budget of `maxBytes` of bodies in memory at once, over all calls: each call makes its own reservation. */
export function bodyBudget(maxBytes: number): () => BodyReservation {
  let taken = 0
  return () => {
    let reserved = 0
    return {
      take(bytes) {
        if (taken + bytes > maxBytes) return false
        taken += bytes
        reserved += bytes
        return true
      },
      release() {
        taken -= reserved
        reserved = 0
      },
    }
  }
}
