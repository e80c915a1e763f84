import { type Actor, ValidationError } from '@sav/core'
import {
  addIntervention,
  changeCaseIn,
  erasedText,
  type NewId,
  type OutsideErasure,
  type VisitEnd,
} from '@sav/core/feature'
import type { Poseur, Random, SavCase, Transaction } from '@sav/core/ports'
import { rdvPageStore } from '../customers/rdv-page-store.js'
import { followUpStore } from '../follow-ups/follow-up-store.js'
import { conflict, fieldProblem } from '../refusals.js'
import type { CustomerLetters } from './customer-letters.js'
import type { RdvChange } from './inputs.js'
import { decideChange } from './moving.js'
import { ownTexts } from './own-texts.js'
import { planningStore } from './planning-store.js'
import { cancelled, completed, isExpired, type Rdv, takesPlace } from './rdv.js'
import { emit, rdvEventData } from './rdv-events.js'

interface EffectDeps {
  readonly newId: NewId
  readonly random: Random
}

interface Change {
  readonly actor: Actor
  readonly at: string
}

/**
 * Applies an appointment to its open case: the case gets the poseur if it has none, and becomes `en_cours` once work
 * has begun. `dossier` is what `lock` returned. Resolves to the changed case.
 */
export async function changeItsCase(
  tx: Transaction,
  rdv: Rdv,
  { actor, at, dossier, ...deps }: Change & EffectDeps & { readonly dossier: SavCase },
): Promise<SavCase> {
  if (dossier.statut === 'clos' || !takesPlace(rdv)) return dossier
  const hasBegun = rdv.statut === 'en_cours' || rdv.statut === 'realise'
  const changes = {
    ...(dossier.poseur_assigne === null && { poseur_id: rdv.poseur.id }),
    ...(hasBegun && { statut: 'en_cours' as const }),
  }
  return changeCaseIn(tx, { actor, found: dossier, changes, at }, deps)
}

/** An installer's report from a phone. */
export interface OnSiteReport {
  /** When the work was done; null: it was not reported from a phone. */
  readonly survenu_a: string | null
  /** The installer who did the work. The appointment may have been reassigned meanwhile. */
  readonly poseur: Rdv['poseur']
}

/**
 * Adds the intervention to the case, even to a closed one, and never closes the case. Resolves to the intervention's
 * id.
 */
export function tellItsCase(
  tx: Transaction,
  rdv: Rdv,
  {
    actor,
    at,
    dossier,
    random,
    survenu_a = null,
    poseur = rdv.poseur,
  }: Change & Pick<EffectDeps, 'random'> & Partial<OnSiteReport> & { readonly dossier: SavCase },
): Promise<number> {
  const { resultat, compte_rendu, pieces } = rdv.bilan ?? { resultat: null, compte_rendu: null, pieces: [] }
  const { id: rdv_id, type, debut: date_debut, fin: date_fin } = rdv
  const intervention = { rdv_id, poseur, type, date_debut, date_fin, resultat, compte_rendu, pieces, survenu_a }
  return addIntervention(tx, { actor, found: dossier, intervention, at }, random)
}

/** Ends the appointment that a close names, and adds its intervention to the case. */
export const endVisit =
  ({ newId, random }: EffectDeps) =>
  async (tx: Transaction, { actor, dossier, rdv_id, at, ...bilan }: VisitEnd): Promise<void> => {
    const { account_id } = dossier
    const found = await tx.of(planningStore).lock(account_id, rdv_id)
    if (found?.sav?.id !== dossier.id)
      throw new ValidationError([fieldProblem('rdv_id', 'rdv_of_another_case', { id: rdv_id })])
    const time = { debut: found.debut, fin: found.fin }
    const done: RdvChange = { statut: 'realise', ...bilan }
    const { rdv, changes, events } = decideChange(found, done, { actor, persons: {}, time, now: at })
    const intervention_id = await tellItsCase(tx, rdv, { actor, at, dossier, random })
    await tx.of(planningStore).update([{ ...rdv, intervention_id }])
    for (const event of events) await emit(tx, newId, { account_id, event, at, data: rdvEventData(rdv, changes) })
  }

const cancelledAt = (found: Rdv, motif: string, at: string): Rdv => ({
  ...found,
  ...cancelled(motif),
  date_modification: at,
  version: found.version + 1,
})

async function cancel(
  tx: Transaction,
  { found, rdv, newId }: { readonly found: Rdv; readonly rdv: Rdv; readonly newId: NewId },
): Promise<void> {
  const { account_id, date_modification: at } = rdv
  await tx.of(planningStore).update([rdv])
  const change = { champ: 'statut', ancien: found.statut, nouveau: rdv.statut }
  await emit(tx, newId, { account_id, event: 'rdv.cancelled', at, data: rdvEventData(rdv, [change]) })
}

/** Cancels a hold if it has expired. It may have been booked or moved meanwhile. */
export async function cancelExpired(
  tx: Transaction,
  { account_id, id }: Pick<Rdv, 'account_id' | 'id'>,
  { at, newId }: { readonly at: string; readonly newId: NewId },
): Promise<void> {
  const found = await tx.of(planningStore).lock(account_id, id)
  if (found === null || !isExpired(found, at)) return
  await cancel(tx, { found, rdv: cancelledAt(found, ownTexts.expired, at), newId })
}

/** Cancels a closing case's appointments that have not begun. */
export const cancelComing =
  ({ newId, letters }: { readonly newId: NewId; readonly letters: CustomerLetters }) =>
  async (tx: Transaction, { account_id, id }: Pick<SavCase, 'account_id' | 'id'>, at: string): Promise<void> => {
    for (const coming of await tx.of(planningStore).comingOfCase(account_id, id, at)) {
      const found = await tx.of(planningStore).lock(account_id, coming.id)
      if (found === null || found.statut === 'en_cours') continue
      const rdv = cancelledAt(found, ownTexts.closed, at)
      const news = { actor: { type: 'systeme' }, before: found, rdv, at, prevenir: true } as const
      await cancel(tx, { found, rdv: await letters.noted(tx, news), newId })
    }
  }

/** The most appointments that a refusal names. */
const namedAtMost = 20

/** @throws ConflictError naming the future appointments that a poseur would have to leave */
export async function refuseWhileBooked(
  tx: Transaction,
  account_id: string,
  { id, nom }: Poseur,
  at: string,
): Promise<void> {
  const coming = await tx.of(planningStore).comingOfPoseur(account_id, id, at, namedAtMost + 1)
  const standing = coming.filter((rdv) => !isExpired(rdv, at))
  if (standing.length === 0) return
  const named = standing.slice(0, namedAtMost).map((rdv) => `${rdv.id} (${rdv.debut})`)
  const more = standing.length > namedAtMost ? ' and more' : ''
  throw conflict('poseur_booked', { nom, id, rdv: `${named.join(', ')}${more}` })
}

/**
 * Erases what appointments contain about a client, except ids and times. The appointments are locked before the client.
 */
export const erasureOfRdv: OutsideErasure = {
  async lock(tx, { account_id, client_id }) {
    for (const { id } of await tx.of(planningStore).ofClient(account_id, client_id))
      await tx.of(planningStore).lock(account_id, id)
  },
  async erase(tx, { account_id, client_id }, at) {
    await tx.of(followUpStore).forget(account_id, client_id)
    for (const { id } of await tx.of(planningStore).ofClient(account_id, client_id)) {
      const found = await tx.of(planningStore).lock(account_id, id)
      if (found === null) continue
      await tx.of(rdvPageStore).remove(account_id, id)
      const nothingToTell = { lettre_due: null, derniere_lettre: null }
      const kept: Rdv = { ...withoutWords(found), notes: null, lieu: null, fenetre_client: null, ...nothingToTell }
      if (JSON.stringify(kept) === JSON.stringify(found)) continue
      await tx.of(planningStore).update([{ ...kept, date_modification: at, version: found.version + 1 }])
    }
  },
}

function withoutWords(found: Rdv): Rdv {
  if (found.statut === 'annule') return { ...found, ...cancelled(erasedText) }
  if (found.statut !== 'realise') return found
  const { resultat, compte_rendu } = found.bilan
  return { ...found, ...completed({ resultat, compte_rendu: compte_rendu && erasedText, pieces: [] }) }
}
