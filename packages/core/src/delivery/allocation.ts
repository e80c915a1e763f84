import type { ClaimRequest, DueTarget } from './delivery-queue.js'

/** How many attempts may start right now. */
export interface Capacity {
  /** The free slots of all targets together. */
  readonly capacity: number
  /** The free slots shared by all targets whose last attempt got no answer. */
  readonly suspectCapacity: number
  /** How many more slots retries need to hold a quarter of all slots. */
  readonly retriesOwed: number
  /** Whether the next attempt to a target must be a retry, if a first attempt and a retry wait. */
  isRetryTurn(target: string): boolean
  isSuspect(target: string): boolean
  /** The free slots of this target, considered alone. */
  capacityOf(target: string): number
  /** Orders targets: when slots are scarce, the first one gets a slot first. */
  compare(a: string, b: string): number
}

/**
 * Shares the free slots among the targets that have something due. First attempts go first, but while retries are due
 * they keep a quarter of all slots. Slots are given one at a time, in turns: to the targets with the fewest attempts in
 * progress, then to those that have waited longest. So no target's backlog delays the others, and no slot stays unused.
 * Each lane of a target is requested at most once.
 */
export function allocate(due: readonly DueTarget[], free: Capacity): ClaimRequest[] {
  const fewestFirst = due.toSorted((a, b) => free.compare(a.target, b.target))
  const first = fewestFirst.filter(({ lane }) => lane === 'first')
  const retry = fewestFirst.filter(({ lane }) => lane === 'retry')
  const kept = retry.length === 0 ? 0 : Math.min(free.capacity, free.retriesOwed)
  const slots = new FreeSlots(free)
  const withFirst = new Set(first.map(({ target }) => target))
  const share = (target: string) => (withFirst.has(target) ? retryShare(free, target) : Number.POSITIVE_INFINITY)
  slots.give(retry, kept, share)
  slots.give(first)
  slots.give(retry)
  return slots.requests
}

/**
 * How many free slots of a target retries may take ahead of its first attempts: a quarter, but at least one if it is
 * the turn of a retry.
 */
function retryShare(free: Capacity, target: string): number {
  return Math.max(Math.floor(free.capacityOf(target) / 4), free.isRetryTurn(target) ? 1 : 0)
}

/** The slots that are still free during the allocation. */
class FreeSlots {
  readonly #free: Capacity
  readonly #given = new Map<string, number>()
  readonly #limits = new Map<DueTarget, number>()
  #left: number
  #suspectLeft: number

  constructor(free: Capacity) {
    this.#free = free
    this.#left = free.capacity
    this.#suspectLeft = free.suspectCapacity
  }

  get requests(): ClaimRequest[] {
    return [...this.#limits].map(([due, limit]) => ({ ...due, limit }))
  }

  give(
    targets: readonly DueTarget[],
    atMost = this.#left,
    shareOf: (target: string) => number = () => Number.POSITIVE_INFINITY,
  ): void {
    const limits = this.#limits
    let available = Math.min(atMost, this.#left)
    let waiting = targets
    while (available > 0 && waiting.length > 0) {
      waiting = waiting.filter((due) => this.#hasCapacity(due.target) && (limits.get(due) ?? 0) < shareOf(due.target))
      for (const due of waiting) {
        if (available === 0 || !this.#hasCapacity(due.target)) continue
        this.#take(due.target)
        limits.set(due, (limits.get(due) ?? 0) + 1)
        available -= 1
      }
    }
  }

  #hasCapacity(target: string): boolean {
    if (this.#free.isSuspect(target) && this.#suspectLeft <= 0) return false
    return this.#free.capacityOf(target) > (this.#given.get(target) ?? 0)
  }

  #take(target: string): void {
    this.#given.set(target, (this.#given.get(target) ?? 0) + 1)
    this.#left -= 1
    if (this.#free.isSuspect(target)) this.#suspectLeft -= 1
  }
}
