import { type FieldProblem, ValidationError } from '@sav/core'
import { everyItem, poseurFault, type Reads, type TypeProbleme } from '@sav/core/feature'
import type { Poseur } from '@sav/core/ports'
import type { Agenda } from '../appointments/planning-store.js'
import { defaultHoraires } from '../working-time/hours.js'
import type { WorkingTime } from '../working-time/working-days.js'

/** All poseurs who can be assigned, by name. */
export async function activePoseurs(reads: Reads, account_id: string): Promise<Poseur[]> {
  const all: Poseur[] = []
  for await (const poseur of everyItem((page) => reads.directory.listPoseurs(account_id, page)))
    if (poseur.inactif_depuis === null) all.push(poseur)
  return all
}

/**
 * The poseurs with these ids, in that order.
 * @param fieldOf the field that names the poseur at an index
 * @throws ValidationError naming every poseur who cannot be assigned
 */
export async function namedPoseurs(
  reads: Reads,
  account_id: string,
  ids: readonly number[],
  fieldOf: (place: number) => string,
): Promise<Poseur[]> {
  const poseurs: Poseur[] = []
  const problems: FieldProblem[] = []
  for (const [place, id] of ids.entries()) {
    const poseur = await reads.directory.findPoseur(account_id, id)
    const fault = poseurFault(poseur, id)
    if (fault !== null) problems.push({ field: fieldOf(place), ...fault })
    else if (poseur !== null) poseurs.push(poseur)
  }
  if (problems.length > 0) throw new ValidationError(problems)
  return poseurs
}

/**
 * The effective hours and skills of a poseur: the default hours if none are recorded, and all skills if none are
 * recorded.
 */
export const agendaInForce = (
  agenda: Agenda | null,
): WorkingTime & { readonly competences: readonly TypeProbleme[] } => ({
  horaires: agenda?.horaires ?? defaultHoraires,
  absences: agenda?.absences ?? [],
  competences: agenda?.competences ?? [],
})
