import { type Actor, SlotTakenError } from '@sav/core'
import { found as foundOf, type NamedChange, type NewId } from '@sav/core/feature'
import type { Poseur, Transaction } from '@sav/core/ports'
import type { PlanningAdvice } from '../appointments/advice.js'
import type { CustomerLetters } from '../appointments/customer-letters.js'
import { freeTime, takenTime } from '../appointments/free-time.js'
import { planningStore } from '../appointments/planning-store.js'
import {
  type Interval,
  isEnd,
  isExpired,
  isStanding,
  movedFrom,
  overlaps,
  personsOf,
  type Rdv,
  standing,
} from '../appointments/rdv.js'
import { emit, rdvEventData } from '../appointments/rdv-events.js'
import { conflict } from '../refusals.js'

/** The new time of an appointment, and its version when that was decided. */
export interface RoundVisit extends Interval {
  readonly id: number
  /** The version that the appointment must still have. */
  readonly version: number
  readonly poseur_id: number
  /** The new teammates; default: unchanged. */
  readonly equipiers?: readonly number[] | undefined
  readonly trajet_avant_minutes: number | null
  readonly tournee: Rdv['tournee']
  /** The new status; default: unchanged. */
  readonly statut?: 'planifie' | 'confirme' | undefined
  readonly fenetre_client?: Rdv['fenetre_client'] | undefined
}

interface RescheduleRequest {
  readonly actor: Actor
  readonly visits: readonly RoundVisit[]
  /** The current time. */
  readonly at: string
  /** Whether customers get letters. */
  readonly prevenir: boolean
}

/** An appointment before and after its move. */
export interface RescheduledRdv {
  readonly before: Rdv
  readonly rdv: Rdv
}

interface ReschedulingDeps {
  readonly newId: NewId
  readonly advice: PlanningAdvice
  readonly letters: CustomerLetters
}

/**
 * Moves appointments to the times and people of a plan. All of them leave their old times first, so that two
 * appointments may exchange their times. An appointment without a status in the plan keeps its own, even `confirme`:
 * rounds respect the times promised to customers. Resolves to all of them.
 * @throws ConflictError when one of them has another version, SlotTakenError for a conflict
 */
export async function reschedule(
  tx: Transaction,
  { actor, visits, at, prevenir }: RescheduleRequest,
  { newId, advice, letters }: ReschedulingDeps,
): Promise<RescheduledRdv[]> {
  const { account_id } = actor
  const persons = await personsOfAll(tx, account_id, visits)
  const moves: RescheduledRdv[] = []
  for (const visit of visits.toSorted((a, b) => a.id - b.id)) {
    const before = foundOf(await tx.of(planningStore).lock(account_id, visit.id), 'rdv', visit.id)
    if (before.version !== visit.version || isEnd(before.statut) || isExpired(before, at))
      throw conflict('rdv_changed_since_planned', { id: visit.id })
    const { debut, fin, trajet_avant_minutes, tournee, poseur_id, statut } = visit
    const { fenetre_client = before.fenetre_client } = visit
    const poseur = activeAmong(persons, poseur_id)
    const equipiers =
      visit.equipiers?.map((id) => before.equipiers.find((each) => each.id === id) ?? activeAmong(persons, id)) ??
      before.equipiers
    const kept = { date_modification: at, version: before.version + 1 }
    const leaves = before.poseur.id !== poseur_id || before.equipiers.length !== equipiers.length
    const moved = leaves || before.debut !== debut || before.fin !== fin
    const deplacements = moved ? movedFrom(before, kept) : before.deplacements
    const placed = {
      debut,
      fin,
      fenetre_client,
      trajet_avant_minutes,
      tournee,
      poseur,
      equipiers,
      deplacements,
      ...kept,
    }
    const changes = statut !== undefined && isStanding(before)
    const rdv: Rdv = changes ? { ...before, ...placed, ...standing(statut) } : { ...before, ...placed }
    moves.push({ before, rdv: await letters.noted(tx, { actor, before, rdv, at, prevenir }) })
  }
  const rdvs = moves.map(({ rdv }) => rdv)
  const leaving = rdvs.map(({ id }) => id)
  for (const rdv of rdvs) await freeTime(tx, rdv, { newId, advice, at, leaving })
  await refuseAmongThem(tx, rdvs, advice)
  await tx.of(planningStore).update(rdvs)
  for (const { before, rdv } of moves) {
    const changes = changesOf(before, rdv)
    if (changes.length === 0) continue
    await emit(tx, newId, { account_id, event: 'rdv.rescheduled', at, data: rdvEventData(rdv, changes) })
  }
  return moves
}

/** Refuses visits that conflict with each other. @throws SlotTakenError */
async function refuseAmongThem(tx: Transaction, rdvs: readonly Rdv[], advice: PlanningAdvice): Promise<void> {
  for (const [index, wanted] of rdvs.entries()) {
    const before = rdvs.slice(0, index)
    const other = before.find(
      (rdv) => overlaps(rdv, wanted) && personsOf(rdv).some((id) => personsOf(wanted).includes(id)),
    )
    if (other === undefined) continue
    // The alternatives are times that are free after the move. The refusal then rolls the move back.
    await tx.of(planningStore).update(before)
    throw new SlotTakenError({ conflit: takenTime(other), alternatives: await advice.alternatives(tx, wanted) })
  }
}

/** Looks up the people of all visits, and locks them in the order of ids, as every write does. */
async function personsOfAll(
  tx: Transaction,
  account_id: string,
  visits: readonly RoundVisit[],
): Promise<ReadonlyMap<number, Poseur>> {
  const persons = new Map<number, Poseur>()
  const ids = new Set(visits.flatMap(({ poseur_id, equipiers = [] }) => [poseur_id, ...equipiers]))
  for (const id of [...ids].toSorted((a, b) => a - b))
    persons.set(id, foundOf(await tx.directory.findPoseur(account_id, id), 'poseur', id))
  return persons
}

/** @throws ConflictError */
function activeAmong(persons: ReadonlyMap<number, Poseur>, id: number): Rdv['poseur'] {
  const { nom, inactif_depuis } = foundOf(persons.get(id) ?? null, 'poseur', id)
  if (inactif_depuis !== null) throw conflict('poseur_no_longer_active', { nom, id })
  return { id, nom }
}

/** A moved appointment in an answer. It contains no names, since answers are stored for repeated requests. */
export const placedView = ({ rdv: { id, debut, fin, poseur, version } }: RescheduledRdv) => ({
  id,
  debut,
  fin,
  poseur: { id: poseur.id },
  version,
})

function changesOf(before: Rdv, after: Rdv): NamedChange[] {
  const fields = [
    { champ: 'statut', ancien: before.statut, nouveau: after.statut },
    { champ: 'debut', ancien: before.debut, nouveau: after.debut },
    { champ: 'fin', ancien: before.fin, nouveau: after.fin },
    { champ: 'poseur_id', ancien: before.poseur.id, nouveau: after.poseur.id },
  ]
  const changes: NamedChange[] = fields.filter(({ ancien, nouveau }) => ancien !== nouveau)
  return before.equipiers.length === after.equipiers.length ? changes : [...changes, { champ: 'equipiers' }]
}
