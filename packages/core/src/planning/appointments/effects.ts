import type { Actor } from '../../access/actor.js'
import type { SavCase } from '../../cases/case.js'
import { addIntervention, changeCase } from '../../cases/case-changes.js'
import type { VisitEnd } from '../../cases/case-writes.js'
import type { ErasedElsewhere } from '../../cases/erasure.js'
import { emit } from '../../delivery/outbox.js'
import type { Poseur } from '../../directory/directory.js'
import { conflict, fieldProblem, ValidationError } from '../../errors.js'
import { erasedText } from '../../evidence/history-chain.js'
import type { Transaction } from '../../storage.js'
import type { NewId } from '../../values/ids.js'
import type { Random } from '../../values/random.js'
import type { CustomerLetters } from './customer-letters.js'
import type { RdvChange } from './inputs.js'
import { decideChange } from './moving.js'
import { cancelled, completed, isExpired, type Rdv, takesPlace } from './rdv.js'
import { rdvEventData } from './rdv-events.js'

interface EffectDeps {
  readonly newId: NewId
  readonly random: Random
}

interface Change {
  readonly actor: Actor
  readonly at: string
}

/**
 * What an appointment that stands does to its case, if that is open: somebody goes there, so he has it; and it is under
 * way as soon as work has begun. `dossier` is what `lock` gave; resolves to the case as it is then.
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
  return changeCase(tx, { actor, found: dossier, changes, at }, deps)
}

/** What an installer tells from the field of what was done. */
export interface DoneOnSite {
  /** When it happened; null: nobody told it from the field. */
  readonly survenu_a: string | null
  /** Who did it: not who was to go there, where the appointment was given to another meanwhile. */
  readonly poseur: Rdv['poseur']
}

/** Tells the case what was done there: closed or not, and it never closes it. Resolves to the intervention's id. */
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
  }: Change & Pick<EffectDeps, 'random'> & Partial<DoneOnSite> & { readonly dossier: SavCase },
): Promise<number> {
  const { resultat, compte_rendu, pieces } = rdv.bilan ?? { resultat: null, compte_rendu: null, pieces: [] }
  const { id: rdv_id, type, debut: date_debut, fin: date_fin } = rdv
  const intervention = { rdv_id, poseur, type, date_debut, date_fin, resultat, compte_rendu, pieces, survenu_a }
  return addIntervention(tx, { actor, found: dossier, intervention, at }, random)
}

/** Ends the appointment that the close of its case names, and tells the case what was done there. */
export const endVisit =
  ({ newId, random }: EffectDeps) =>
  async (tx: Transaction, { actor, dossier, rdv_id, at, ...bilan }: VisitEnd): Promise<void> => {
    const { account_id } = dossier
    const found = await tx.planning.lock(account_id, rdv_id)
    if (found?.sav?.id !== dossier.id)
      throw new ValidationError([fieldProblem('rdv_id', 'rdv_of_another_case', { id: rdv_id })])
    const time = { debut: found.debut, fin: found.fin }
    const done: RdvChange = { statut: 'realise', ...bilan }
    const { rdv, changes, events } = decideChange(found, done, { actor, persons: {}, time, now: at })
    const intervention_id = await tellItsCase(tx, rdv, { actor, at, dossier, random })
    await tx.planning.update([{ ...rdv, intervention_id }])
    for (const event of events) await emit(tx, newId, { account_id, event, at, data: rdvEventData(rdv, changes) })
  }

/** An appointment as its cancellation leaves it. */
const cancelledAt = (found: Rdv, motif: string, at: string): Rdv => ({
  ...found,
  ...cancelled(motif),
  date_modification: at,
  version: found.version + 1,
})

/** Stores what was cancelled, and tells it. */
async function cancel(
  tx: Transaction,
  { found, rdv, newId }: { readonly found: Rdv; readonly rdv: Rdv; readonly newId: NewId },
): Promise<void> {
  const { account_id, date_modification: at } = rdv
  await tx.planning.update([rdv])
  const change = { champ: 'statut', ancien: found.statut, nouveau: rdv.statut }
  await emit(tx, newId, { account_id, event: 'rdv.cancelled', at, data: rdvEventData(rdv, [change]) })
}

/** Cancels a hold if it has expired; somebody may have taken or moved it meanwhile. */
export async function cancelExpired(
  tx: Transaction,
  { account_id, id }: Pick<Rdv, 'account_id' | 'id'>,
  { at, newId }: { readonly at: string; readonly newId: NewId },
): Promise<void> {
  const found = await tx.planning.lock(account_id, id)
  if (found === null || !isExpired(found, at)) return
  await cancel(tx, { found, rdv: cancelledAt(found, 'La proposition a expiré.', at), newId })
}

/** A case that closes needs nobody any more: what has not begun is cancelled, and what is under way stays. */
export const cancelComing =
  ({ newId, letters }: { readonly newId: NewId; readonly letters: CustomerLetters }) =>
  async (tx: Transaction, { account_id, id }: Pick<SavCase, 'account_id' | 'id'>, at: string): Promise<void> => {
    for (const coming of await tx.planning.comingOfCase(account_id, id, at)) {
      const found = await tx.planning.lock(account_id, coming.id)
      if (found === null || found.statut === 'en_cours') continue
      const rdv = cancelledAt(found, 'Le dossier est clos.', at)
      const news = { actor: { type: 'systeme' }, before: found, rdv, at, prevenir: true } as const
      await cancel(tx, { found, rdv: await letters.noted(tx, news), newId })
    }
  }

/** How many appointments a refusal names. */
const namedAtMost = 20

/** @throws ConflictError naming the coming appointments of somebody who cannot leave them */
export async function refuseWhileBooked(
  tx: Transaction,
  account_id: string,
  { id, nom }: Poseur,
  at: string,
): Promise<void> {
  const coming = await tx.planning.comingOfPoseur(account_id, id, at, namedAtMost + 1)
  const standing = coming.filter((rdv) => !isExpired(rdv, at))
  if (standing.length === 0) return
  const named = standing.slice(0, namedAtMost).map((rdv) => `${rdv.id} (${rdv.debut})`)
  const more = standing.length > namedAtMost ? ' and more' : ''
  throw conflict('poseur_booked', { nom, id, rdv: `${named.join(', ')}${more}` })
}

/** What appointments keep of a client beside ids and times: locked before the client is, and then taken out. */
export const erasureOfRdv: ErasedElsewhere = {
  async lock(tx, { account_id, client_id }) {
    for (const { id } of await tx.planning.ofClient(account_id, client_id)) await tx.planning.lock(account_id, id)
  },
  async erase(tx, { account_id, client_id }, at) {
    await tx.followUps.forget(account_id, client_id)
    await tx.field.eraseFacts(account_id, client_id)
    for (const { id } of await tx.planning.ofClient(account_id, client_id)) {
      const found = await tx.planning.lock(account_id, id)
      if (found === null) continue
      await tx.rdvPages.remove(account_id, id)
      const nothingToTell = { lettre_due: null, derniere_lettre: null }
      const kept: Rdv = { ...withoutWords(found), notes: null, lieu: null, fenetre_client: null, ...nothingToTell }
      if (JSON.stringify(kept) === JSON.stringify(found)) continue
      await tx.planning.update([{ ...kept, date_modification: at, version: found.version + 1 }])
    }
  },
}

function withoutWords(found: Rdv): Rdv {
  if (found.statut === 'annule') return { ...found, ...cancelled(erasedText) }
  if (found.statut !== 'realise') return found
  const { resultat, compte_rendu } = found.bilan
  return { ...found, ...completed({ resultat, compte_rendu: compte_rendu && erasedText, pieces: [] }) }
}
