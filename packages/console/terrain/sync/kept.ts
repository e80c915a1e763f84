import { type Meaning, withoutNames } from './answers.js'
import { type Day, heldVisits, ofSameClient, unchanged, withAnswer, withoutVisits } from './day.js'
import type { Outbox } from './item.js'

/** What a phone keeps of its person's work. */
export interface Kept {
  readonly outbox: Outbox
  readonly day: Day | null
}

/** With an answer: it changes both together, so that a visit is never shown in a state before its reports. */
export function withMeaning(
  before: Kept,
  { outbox: meant, rdv, erasedRdv }: Meaning,
  begun: readonly number[],
): Kept & { /** The visits of an erased client: nothing of them stays. */ readonly erased: ReadonlySet<number> } {
  const erased = erasedRdv === null ? new Set<number>() : ofSameClient(before.day, erasedRdv)
  const outbox = withoutNames(meant, erased)
  const held = heldVisits(
    outbox,
    begun.filter((id) => !erased.has(id)),
  )
  const answered = before.day && rdv ? withAnswer(before.day, rdv) : before.day
  return { outbox, day: answered && unchanged(withoutVisits(answered, erased), held), erased }
}
