import { type Rdv, serverNow } from '../api/client.js'
import type { StandingState } from '../cases/visit-choice.js'
import { personHere } from '../session/session.js'

/** For how long a customer's absence can be undone after it was reported. Later, the service refuses to undo it. */
const absenceMs = 10 * 60_000

const states = ['planifie', 'confirme', 'en_cours'] as const satisfies StandingState['statut'][]

const keyOf = (id: number) => `sav-before-absence/${personHere()}/${id}`

/** Stores in this tab what status a visit had before its customer was marked absent. It survives a reload. */
export function keepBeforeAbsence({ id, statut }: Pick<Rdv, 'id'> & StandingState): void {
  try {
    sessionStorage.setItem(keyOf(id), `${statut} ${serverNow() + absenceMs}`)
  } catch {
    // Without storage, the absence can still be undone from the notice that reported it.
  }
}

/** The status before the absence; null: it was not set in this tab, or too long ago. */
export function beforeAbsence(id: number): StandingState['statut'] | null {
  const [statut, until] = sessionStorage.getItem(keyOf(id))?.split(' ') ?? []
  if (Number(until) <= serverNow()) return null
  return states.find((each) => each === statut) ?? null
}
