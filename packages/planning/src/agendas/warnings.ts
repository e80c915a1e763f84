import { type TypeProbleme, toMs } from '@sav/core/feature'
import type { Agenda } from '../appointments/planning-store.js'
import { type Interval, overlaps } from '../appointments/rdv.js'
import { type Note, note } from '../travel/notes.js'
import { type LocalDay, workingDays } from '../working-time/working-days.js'
import { agendaInForce } from './poseurs.js'

interface Person {
  readonly id: number
  readonly nom: string
}

/** Warnings about an assignment, from the poseur's hours, absences and skills. They do not refuse the booking. */
export function warningsOf(
  { id, nom }: Person,
  interval: Interval,
  {
    agenda,
    days,
    type_probleme,
  }: {
    readonly agenda: Agenda | null
    /** The local days of the appointment. */
    readonly days: readonly LocalDay[]
    readonly type_probleme: TypeProbleme | null
  },
): Note[] {
  const warnings: Note[] = []
  const { horaires, absences, competences } = agendaInForce(agenda)
  const working = workingDays({ horaires, absences: [] }, days).flatMap(({ intervals }) => intervals)
  if (!isCovered(interval, working)) warnings.push(note('poseur_not_working', { nom, id }))
  for (const { debut, fin } of absences)
    if (overlaps({ debut, fin }, interval)) warnings.push(note('poseur_away', { nom, id, debut, fin }))
  if (type_probleme !== null && competences.length > 0 && !competences.includes(type_probleme))
    warnings.push(note('poseur_not_skilled', { nom, id, type_probleme }))
  return warnings
}

/** Whether sorted intervals together cover another interval without a gap. */
function isCovered({ debut, fin }: Interval, working: readonly { readonly debut: number; readonly fin: number }[]) {
  let until = toMs(debut)
  for (const worked of working) if (worked.debut <= until && worked.fin > until) until = worked.fin
  return until >= toMs(fin)
}
