import type { ClaimedDelivery, ClaimRequest } from '@sav/core/ports'

type QueuePlace = Pick<ClaimRequest, 'lane' | 'target'>

const nameOf = ({ lane, target }: QueuePlace) => `${lane} ${target}`

/**
 * How long a row that came late, or that another process gave back, may be skipped while more is due than can be
 * claimed.
 */
const rememberedMs = 1000

/** An instant before all others. */
const ever = ''

/**
 * The instant up to which this process has claimed what was due, for each lane and target of which more was due. An
 * index of PostgreSQL holds deleted entries as long as any transaction on the server is older: with 40,000 deliveries
 * made under one, each look read past all of them, and server and worker slowed to half.
 */
export class ClaimProgress {
  readonly #upTo = new Map<string, string>()
  /** By the callers' clock. */
  #since = 0

  /**
   * The instant from which to look for what is due at `now`: as far as is known, or from the beginning when that is too
   * old.
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

  /** Notes the result of a claim, oldest due first. */
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
