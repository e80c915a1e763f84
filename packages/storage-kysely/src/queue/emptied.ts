import type { ClaimedDelivery, ClaimRequest } from '@sav/core/ports'

type Waiting = Pick<ClaimRequest, 'lane' | 'target'>

const nameOf = ({ lane, target }: Waiting) => `${lane} ${target}`

/** How long what came late, or was given back by another process, may be passed over while there is more than can be claimed. */
const rememberedMs = 1000

/** Before every instant. */
const ever = ''

/**
 * Up to which instant this process has claimed what was due, of each lane and target of which there was more. An index of
 * PostgreSQL holds what was deleted for as long as any transaction on the server is older: with 40,000 deliveries made
 * under one, each look read past all of them, and server and worker came to half their pace.
 */
export class Emptied {
  readonly #upTo = new Map<string, string>()
  /** Of the callers' clock. */
  #since = 0

  /** From where to look for what is due at `now`: as far as anything is known, and everywhere when that is too old. */
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

  upTo(waiting: Waiting): string {
    return this.#upTo.get(nameOf(waiting)) ?? ever
  }

  /** What came of a claim, oldest due first. */
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
