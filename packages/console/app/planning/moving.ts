import { changed } from '../api/changes.js'
import { type Rdv, type RdvChange, refusalOf, type Slot, sav } from '../api/client.js'
import { isStanding } from '../cases/visit-choice.js'
import { dateOf, dayName, timeOf } from '../session/zone.js'
import { act } from '../system/act.js'
import { saidOf } from '../system/answered.js'
import { say, sayFailed } from '../system/notices.js'
import { words } from '../words/words.js'
import { adviceIn } from './advice.js'
import { beforeAbsence, keepBeforeAbsence } from './before-absence.js'
import { askNotifying, lettersFor } from './notifying.js'

/** Where an appointment is moved. Omitted fields are unchanged. */
export type Aim = Pick<RdvChange, 'poseur_id' | 'equipiers' | 'duree_minutes'> & { readonly debut: string }

/** The conflicting visit, and free times instead. */
export interface Conflict {
  readonly conflit: {
    readonly id: number
    readonly debut: string
    readonly fin: string
    readonly poseur: { readonly id: number }
  }
  readonly alternatives: readonly Slot[]
}

/** The refusal of a taken time; null: the error is another one. */
export function conflictIn(error: unknown): Conflict | null {
  const body = refusalOf(error)?.body
  return body !== undefined && isConflict(body) ? body : null
}

const isConflict = (body: object): body is Conflict => 'conflit' in body && 'alternatives' in body

interface Change extends Partial<Aim> {
  readonly statut?: 'planifie' | 'confirme' | 'en_cours' | 'absent'
  readonly retard_minutes?: number | null
  readonly prevenir?: boolean
}

async function patch({ id, version }: Pick<Rdv, 'id' | 'version'>, body: Change) {
  const headers = { 'If-Match': `"${id}-${version}"` }
  return (await sav.patch('/v1/planning/{id}', { params: { id }, body, headers })).data
}

interface UndoOffer {
  readonly back: Change
  /** How many letters would announce the change, and how many would announce its undoing. */
  readonly letters: number
  readonly said: (now: Rdv) => string
}

/**
 * Changes an appointment unless it has changed since the user saw it, reports the result, and offers to undo it.
 * @returns the conflict, if there is one: then nothing was changed
 */
async function change(before: Rdv, body: Change, { back, letters, said }: UndoOffer): Promise<Conflict | null> {
  try {
    const now = await patch(before, body)
    const text = [said(now), ...adviceIn(now.avertissements)].join(' ')
    const offer = () => say(text, undo)
    const undo = async () => {
      const prevenir = await askNotifying(letters)
      if (prevenir === null) return offer()
      await act(() => patch(now, { ...back, prevenir }), words.value.undone)
    }
    offer()
    return null
  } catch (error) {
    const taken = conflictIn(error)
    if (taken === null) sayFailed(saidOf(error))
    return taken
  } finally {
    changed()
  }
}

/**
 * Asks whether to notify the customer, and moves the visit.
 * @returns `left` if the user decides not to move it; the conflict, if there is one
 */
export async function move(before: Rdv, aim: Aim): Promise<Conflict | 'left' | null> {
  const letters = aim.debut === before.debut ? 0 : await lettersFor(before)
  const prevenir = await askNotifying(letters)
  if (prevenir === null) return 'left'
  const { debut, poseur, equipiers, duree_minutes, statut } = before
  const back = {
    debut,
    duree_minutes,
    poseur_id: poseur.id,
    equipiers: equipiers.map(({ id }) => id),
    // A moved visit is no longer confirmed.
    ...(statut === 'confirme' && { statut }),
  }
  const said = (now: Rdv) =>
    words.value.planning.moved(`${dayName(dateOf(now.debut))}, ${timeOf(now.debut)}`, now.poseur.nom)
  return change(before, { ...aim, prevenir }, { back, letters, said })
}

export async function confirm(before: Rdv): Promise<void> {
  const said = () => words.value.planning.confirmed
  await change(before, { statut: 'confirme' }, { back: { statut: 'planifie' }, letters: 0, said })
}

/** Whether the user can still undo a customer's absence in this tab. */
export function canTakeBack({ id, statut }: Pick<Rdv, 'id' | 'statut'>): boolean {
  return statut === 'absent' && beforeAbsence(id) !== null
}

/** Marks the customer as absent. */
export const markAbsent = (before: Rdv): Promise<void> =>
  act(async () => {
    const now = await patch(before, { statut: 'absent' })
    if (isStanding(before)) keepBeforeAbsence(before)
    say(words.value.planning.absentSaid, async () => {
      if ((await takeBackAbsence(now)) !== null) sayFailed(words.value.planning.absentTaken)
    })
  })

/** Undoes a customer's absence. @returns the conflict, if its time was taken meanwhile */
export async function takeBackAbsence(visit: Rdv): Promise<Conflict | null> {
  const statut = beforeAbsence(visit.id) ?? 'planifie'
  try {
    await patch(visit, { statut })
    say(words.value.undone)
    return null
  } catch (error) {
    const taken = conflictIn(error)
    if (taken === null) sayFailed(saidOf(error))
    return taken
  } finally {
    changed()
  }
}

/** Books another time for a past visit, with the same details. */
export async function bookAgain({ sav: dossier, client, type }: Rdv, { jeton }: Slot): Promise<void> {
  const whose = dossier === null ? { client_id: client.id, type } : { sav_id: dossier.id }
  await act(async () => {
    const { data } = await sav.post('/v1/planning/rdv', { body: { jeton, ...whose } })
    say(words.value.planning.booked(data.poseur.nom))
  })
}

/** Reports by how many minutes the installer is late. The customer gets a letter if the shop sends letters. */
export async function late(before: Rdv, minutes: number): Promise<void> {
  const said = () => words.value.planning.lateSaid(minutes)
  const back = { retard_minutes: before.retard_minutes }
  await change(before, { retard_minutes: minutes }, { back, letters: 0, said })
}
