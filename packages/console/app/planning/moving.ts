import { changed } from '../api/changes.js'
import { type Rdv, type RdvChange, refusalOf, type Slot, sav } from '../api/client.js'
import { dateOf, dayName, timeOf } from '../session/zone.js'
import { saidOf } from '../system/answered.js'
import { say, sayFailed } from '../system/notices.js'
import { words } from '../words/words.js'
import { adviceIn } from './advice.js'
import { askNotifying, lettersFor } from './notifying.js'

/** Where an appointment is put. What is left out stays. */
export type Aim = Pick<RdvChange, 'poseur_id' | 'equipiers' | 'duree_minutes'> & { readonly debut: string }

/** Who is in the way, and what is free instead. */
export interface Taken {
  readonly conflit: {
    readonly id: number
    readonly debut: string
    readonly fin: string
    readonly poseur: { readonly id: number }
  }
  readonly alternatives: readonly Slot[]
}

/** The refusal of a time at which somebody is taken; null: it is another one. */
export function takenIn(error: unknown): Taken | null {
  const body = refusalOf(error)?.body
  return body !== undefined && isTaken(body) ? body : null
}

const isTaken = (body: object): body is Taken => 'conflit' in body && 'alternatives' in body

interface Change extends Partial<Aim> {
  readonly statut?: 'planifie' | 'confirme' | 'en_cours' | 'absent'
  readonly prevenir?: boolean
}

async function patch({ id, version }: Pick<Rdv, 'id' | 'version'>, body: Change) {
  const headers = { 'If-Match': `"${id}-${version}"` }
  return (await sav.patch('/v1/planning/{id}', { params: { id }, body, headers })).data
}

interface Done {
  readonly back: Change
  /** How many letters it takes to tell of it, and to tell of its undoing. */
  readonly letters: number
  readonly said: (now: Rdv) => string
}

/**
 * Changes an appointment as somebody saw it, says what came of it, and offers to take it back.
 * @returns who is in the way, where somebody is: nothing was changed then
 */
async function change(before: Rdv, body: Change, { back, letters, said }: Done): Promise<Taken | null> {
  try {
    const now = await patch(before, body)
    const text = [said(now), ...adviceIn(now.avertissements)].join(' ')
    const offer = () => say(text, undo)
    const undo = async () => {
      const prevenir = await askNotifying(letters)
      if (prevenir === null) return offer()
      await patch(now, { ...back, prevenir }).then(
        () => say(words.value.undone),
        (error: unknown) => sayFailed(saidOf(error)),
      )
      changed()
    }
    offer()
    return null
  } catch (error) {
    const taken = takenIn(error)
    if (taken === null) sayFailed(saidOf(error))
    return taken
  } finally {
    changed()
  }
}

/**
 * Asks whether the customer is to be told, and moves.
 * @returns `left` where it is not to be done after all; who is in the way, where somebody is
 */
export async function move(before: Rdv, aim: Aim): Promise<Taken | 'left' | null> {
  const letters = aim.debut === before.debut ? 0 : await lettersFor(before)
  const prevenir = await askNotifying(letters)
  if (prevenir === null) return 'left'
  const { debut, poseur, equipiers, duree_minutes, statut } = before
  const back = {
    debut,
    duree_minutes,
    poseur_id: poseur.id,
    equipiers: equipiers.map(({ id }) => id),
    // What is moved is no longer confirmed.
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

/** What has no way back. */
export async function mark(before: Rdv, statut: 'en_cours' | 'absent'): Promise<void> {
  try {
    await patch(before, { statut })
    say(words.value.saved)
  } catch (error) {
    sayFailed(saidOf(error))
  }
  changed()
}
