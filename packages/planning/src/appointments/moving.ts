import type { Actor, FieldProblem } from '@sav/core'
import { type NamedChange, type RdvStatut, toInstant, toMs } from '@sav/core/feature'
import { conflict, fieldProblem } from '../refusals.js'
import { maxRdvMinutes } from './days.js'
import type { RdvChange } from './inputs.js'
import {
  cancelled,
  completed,
  type Interval,
  isEnd,
  isExpired,
  isStanding,
  missed,
  movedFrom,
  type Rdv,
  type RdvState,
  standing,
  takenBack,
  transitions,
} from './rdv.js'
import type { RdvEvent } from './rdv-kinds.js'

/** A decided change: the resulting appointment, and its event. */
export interface RdvDecision {
  readonly rdv: Rdv
  /** The changes; empty if there is nothing to write. */
  readonly changes: readonly NamedChange[]
  readonly events: readonly RdvEvent[]
  /** Whether the change takes a new time or person, so that it may conflict with another appointment. */
  readonly takesTime: boolean
}

/** The people that a change names, looked up. */
export interface NamedPersons {
  readonly poseur?: Rdv['poseur'] | undefined
  readonly equipiers?: Rdv['equipiers'] | undefined
}

/** The requested time of a booking or a change, or what is wrong with it. */
export function timeOf(
  asked: Pick<RdvChange, 'debut' | 'fin' | 'duree_minutes'>,
  before: Interval | null,
): Interval | FieldProblem {
  const debut = asked.debut ?? before?.debut ?? ''
  const kept = before === null ? 0 : toMs(before.fin) - toMs(before.debut)
  const wanted = asked.duree_minutes === undefined ? kept : asked.duree_minutes * 60_000
  const fin = asked.fin ?? toInstant(toMs(debut) + wanted)
  const ms = toMs(fin) - toMs(debut)
  if (ms >= 60_000 && ms <= maxRdvMinutes * 60_000) return { debut, fin }
  return fieldProblem('fin', 'duration_out_of_range', { max: maxRdvMinutes })
}

interface DecisionContext {
  readonly actor: Pick<Actor, 'type' | 'id'>
  readonly persons: NamedPersons
  readonly time: Interval
  readonly now: string
}

/**
 * Decides a change.
 * @param time what `timeOf` returned for this change
 * @throws ConflictError when the current state forbids the change
 */
export function decideChange(
  found: Rdv,
  input: RdvChange,
  { actor, persons, time, now }: DecisionContext,
): RdvDecision {
  refuseExpired(found, input, now)
  const timeChanges = time.debut !== found.debut || time.fin !== found.fin
  const before = takenBack(found, now)
  const isTakenBack = before !== null && input.statut === before
  const statut = isTakenBack ? before : statutAfter(found, input.statut, timeChanges)
  const next: Rdv = {
    ...found,
    ...time,
    type: input.type ?? found.type,
    poseur: persons.poseur ?? found.poseur,
    equipiers: persons.equipiers ?? found.equipiers,
    fenetre_client: input.fenetre_client === undefined ? keptWindow(found, time) : input.fenetre_client,
    lieu: input.lieu === undefined ? found.lieu : input.lieu,
    notes: input.notes === undefined ? found.notes : input.notes,
    retard_minutes: input.retard_minutes === undefined ? found.retard_minutes : input.retard_minutes,
    ...(statut !== found.statut && stateFor(statut, input, { found, actor, now })),
  }
  const changes = changesOf(found, next)
  const free = isTakenBack ? ['notes', 'statut'] : ['notes']
  if (isEnd(found.statut) && changes.some(({ champ }) => !free.includes(champ)))
    throw conflict('rdv_over', { id: found.id, statut: found.statut })
  if (changes.length === 0) return { rdv: found, changes, events: [], takesTime: false }

  const movedPersons = changes.some(({ champ }) => champ === 'poseur_id' || champ === 'equipiers')
  const moves = timeChanges || movedPersons
  const rdv: Rdv = {
    ...next,
    // The travel time and the position in a round are only valid as long as the visit does not move.
    ...(moves && { trajet_avant_minutes: null, tournee: null }),
    date_modification: now,
    version: found.version + 1,
  }
  const events: readonly RdvEvent[] = isTakenBack
    ? ['rdv.rescheduled']
    : eventsOf(found.statut, { statut, moves, timeChanges, asked: input.statut })
  const told = moves ? { ...rdv, deplacements: movedFrom(found, rdv) } : rdv
  return { rdv: told, changes, events, takesTime: moves || isTakenBack }
}

function refuseExpired(found: Rdv, { statut }: RdvChange, now: string): void {
  if (!isExpired(found, now) || statut === 'annule') return
  throw conflict('rdv_hold_expired', { id: found.id, expire_a: found.expire_a ?? '' })
}

/** The status after the change. A moved appointment must be confirmed again, unless the change sets `confirme`. */
function statutAfter({ id, statut, absence }: Rdv, asked: RdvStatut | undefined, timeChanges: boolean): RdvStatut {
  if (asked === undefined) return timeChanges && statut === 'confirme' ? 'planifie' : statut
  const allowed = transitions[statut]
  if (allowed.includes(asked)) return asked
  if (absence !== null && absence.statut === asked) throw conflict('rdv_absence_stays', { id, date: absence.date })
  if (allowed.length === 0) throw conflict('rdv_ended', { id, statut, asked })
  throw conflict('rdv_cannot_become', { id, statut, asked, allowed: allowed.join(', ') })
}

function stateFor(
  statut: RdvStatut,
  { motif_annulation, resultat, compte_rendu, pieces }: RdvChange,
  { found, actor: { type, id }, now }: Pick<DecisionContext, 'actor' | 'now'> & { readonly found: Rdv },
): RdvState {
  switch (statut) {
    case 'annule':
      return cancelled(motif_annulation ?? '')
    case 'realise':
      return completed({
        resultat: resultat ?? null,
        compte_rendu: compte_rendu ?? null,
        pieces: pieces ?? [],
      })
    case 'absent':
      return missed(isStanding(found) ? { date: now, par: { type, id }, statut: found.statut } : null)
    case 'propose':
      throw new Error('An appointment cannot become a proposal again.')
    default:
      return standing(statut)
  }
}

/** The window announced to the customer, if the new time is inside. */
export function keptWindow({ fenetre_client }: Rdv, { debut }: Interval): Interval | null {
  if (fenetre_client === null || debut < fenetre_client.debut || debut >= fenetre_client.fin) return null
  return fenetre_client
}

function changesOf(before: Rdv, after: Rdv): NamedChange[] {
  const changes: NamedChange[] = []
  const told = (champ: string, ancien: string | number | null, nouveau: string | number | null) => {
    if (ancien !== nouveau) changes.push({ champ, ancien, nouveau })
  }
  const named = (champ: string, ancien: unknown, nouveau: unknown) => {
    if (JSON.stringify(ancien) !== JSON.stringify(nouveau)) changes.push({ champ })
  }
  told('statut', before.statut, after.statut)
  told('debut', before.debut, after.debut)
  told('fin', before.fin, after.fin)
  told('poseur_id', before.poseur.id, after.poseur.id)
  named('equipiers', idsOf(before), idsOf(after))
  told('type', before.type, after.type)
  named('fenetre_client', before.fenetre_client, after.fenetre_client)
  named('lieu', before.lieu, after.lieu)
  told('retard_minutes', before.retard_minutes, after.retard_minutes)
  named('notes', before.notes, after.notes)
  return changes
}

const idsOf = ({ equipiers }: Rdv) => equipiers.map(({ id }) => id)

interface ChangeFacts {
  readonly statut: RdvStatut
  readonly moves: boolean
  readonly timeChanges: boolean
  readonly asked: RdvStatut | undefined
}

function eventsOf(before: RdvStatut, { statut, moves, timeChanges, asked }: ChangeFacts): RdvEvent[] {
  const events: RdvEvent[] = moves ? ['rdv.rescheduled'] : []
  // A move that sets `confirme` is a new confirmation, even if the appointment was confirmed before.
  if (statut === 'confirme' && (before !== 'confirme' || (asked === 'confirme' && timeChanges)))
    events.push('rdv.confirmed')
  if (statut === before) return events
  if (statut === 'annule' || statut === 'absent') events.push('rdv.cancelled')
  if (statut === 'realise') events.push('rdv.completed')
  return events
}
