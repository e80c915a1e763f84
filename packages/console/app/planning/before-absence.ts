import { type Rdv, serverNow } from '../api/client.js'
import type { StandingState } from '../cases/visit-choice.js'
import { personHere } from '../session/session.js'

/** How long the service allows to take back a customer's absence. */
const absenceMs = 10 * 60_000

const states = ['planifie', 'confirme', 'en_cours'] as const satisfies StandingState['statut'][]

const keyOf = (id: number) => `sav-before-absence/${personHere()}/${id}`

/** Keeps in this tab, also over a reload, the state of a visit before its customer was marked absent. */
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
