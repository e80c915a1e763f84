import { toMs } from '../../time/time.js'
import type { TypeProbleme } from '../../values/vocabulary.js'
import type { Agenda } from '../appointments/planning-store.js'
import { type Interval, overlaps } from '../appointments/rdv.js'
import { type LocalDay, workingDays } from '../working-time/working-days.js'
import { agendaInForce } from './poseurs.js'

interface Person {
  readonly id: number
  readonly nom: string
}

/**
 * What speaks against sending somebody: sentences for who books, in the order hours, absences, skills. None of it
 * refuses a booking.
 */
export function warningsOf(
  { id, nom }: Person,
  interval: Interval,
  {
    agenda,
    days,
    type_probleme,
  }: {
    readonly agenda: Agenda | null
    /** The local days that it touches. */
    readonly days: readonly LocalDay[]
    readonly type_probleme: TypeProbleme | null
  },
): string[] {
  const name = `${nom} (${id})`
  const warnings: string[] = []
  const { horaires, absences, competences } = agendaInForce(agenda)
  const working = workingDays({ horaires, absences: [] }, days).flatMap(({ intervals }) => intervals)
  if (!isCovered(interval, working)) warnings.push(`${name} does not work during all of this time.`)
  for (const absence of absences)
    if (overlaps(absence, interval)) warnings.push(`${name} is away from ${absence.debut} to ${absence.fin}.`)
  if (type_probleme !== null && competences.length > 0 && !competences.includes(type_probleme))
    warnings.push(`${name} is not recorded as able to do ${type_probleme}.`)
  return warnings
}

/** Whether one interval after the other leaves no moment out; they are sorted. */
function isCovered({ debut, fin }: Interval, working: readonly { readonly debut: number; readonly fin: number }[]) {
  let until = toMs(debut)
  for (const worked of working) if (worked.debut <= until && worked.fin > until) until = worked.fin
  return until >= toMs(fin)
}
