import type { ClaimedDelivery, ClaimRequest } from '@sav/core/ports'

type QueuePlace = Pick<ClaimRequest, 'lane' | 'target'>

const nameOf = ({ lane, target }: QueuePlace) => `${lane} ${target}`

/**
 * While more is due than can be claimed, rows that appear late, or that another process releases, wait this long at
 * most.
 */
const rememberedMs = 1000

/** Sorts before all instants. */
const ever = ''

/**
 * For each lane and target with more due deliveries than could be claimed, the instant up to which this process has
 * claimed. An index of PostgreSQL keeps deleted entries as long as any transaction on the server is older: with 40,000
 * deliveries made during such a transaction, each claim read past all of them, at half the speed.
 */
export class ClaimProgress {
  readonly #upTo = new Map<string, string>()
  /** When this process last forgot its progress, in milliseconds by the callers' clock. */
  #since = 0

  /**
   * The instant from which to look for what is due at `now`. It is the earliest instant up to which a lane and target
   * was claimed, or the beginning of time if the progress is too old.
   */
  lookAt(now: string): string {
    const age = Date.parse(now) - this.#since
    if (age < 0 || age >= rememberedMs) {
      this.forget()
      this.#since = Date.parse(now)
    }
    let earliest: string | undefined
    for (const upTo of this.#upTo.values()) if (earliest === undefined || upTo < earliest) earliest = upTo
    return earliest ?? ever
  }

  upTo(waiting: QueuePlace): string {
    return this.#upTo.get(nameOf(waiting)) ?? ever
  }

  /** @param claimed oldest due first */
  note(requests: readonly ClaimRequest[], claimed: readonly ClaimedDelivery[]): void {
    const taken = Map.groupBy(claimed, nameOf)
    for (const request of requests) {
      const rows = taken.get(nameOf(request)) ?? []
      const latest = rows.at(-1)
      if (latest === undefined || rows.length < request.limit) this.#upTo.delete(nameOf(request))
      else this.#upTo.set(nameOf(request), latest.next_attempt_at)
    }
  }

  forget(): void {
    this.#upTo.clear()
  }
}
