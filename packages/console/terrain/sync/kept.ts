import { type Meaning, withoutNames } from './answers.js'
import { type Day, heldVisits, ofSameClient, unchanged, withAnswer, withoutVisits } from './day.js'
import type { Outbox } from './item.js'

/** The data of a user on a phone. */
export interface Kept {
  readonly outbox: Outbox
  readonly day: Day | null
}

/** Applies an answer to the outbox and the day together, so that a visit never shows a state that lacks its reports. */
export function withMeaning(
  before: Kept,
  { outbox: meant, rdv, erasedRdv }: Meaning,
  begun: readonly number[],
): Kept & { /** The visits of an erased client, of which nothing is kept. */ readonly erased: ReadonlySet<number> } {
  const erased = erasedRdv === null ? new Set<number>() : ofSameClient(before.day, erasedRdv)
  const outbox = withoutNames(meant, erased)
  const held = heldVisits(
    outbox,
    begun.filter((id) => !erased.has(id)),
  )
  const answered = before.day && rdv ? withAnswer(before.day, rdv) : before.day
  return { outbox, day: answered && unchanged(withoutVisits(answered, erased), held), erased }
}
