import {
  type Actor,
  CaseNotFoundError,
  IdempotencyMismatchError,
  NotFoundError,
  ValidationError,
  type Write,
} from '@sav/core'
import {
  type Cases,
  type Comment,
  type CommentInput,
  dayMs,
  found as foundOf,
  parse,
  preparedWrite,
  toInstant,
  type WritesOf,
} from '@sav/core/feature'
import type { Transaction } from '@sav/core/ports'
import type { AdvisedRdvView } from '@sav/planning'
import { type Planning, planningStore, type Rdv, rdvView, type SlotTokens } from '@sav/planning/feature'
import { erasedDigest, type FactDigests } from './fact-digests.js'
import { fieldStore } from './field-store.js'
import { type BookNextInput, bookNextInput, type TakeBackInput, takeBackInput } from './inputs.js'
import { isOwn, mayTell, type OwnVisitsDeps, type Reach } from './own-visits.js'
import { conflict, fieldProblem } from './refusals.js'
import { auteurOf } from './uploads.js'

export interface AdditionDeps extends OwnVisitsDeps {
  readonly cases: WritesOf<Cases, 'comment'>
  readonly planning: WritesOf<Planning, 'book' | 'change'>
  readonly tokens: Pick<SlotTokens, 'open'>
  readonly factDigests: FactDigests
}

/** The case, the installer, and the key of a repetition; null: there is none. */
export interface FieldCaseTarget {
  readonly sav_id: number
  readonly reach: Reach
  readonly cle: string | null
}

/** Adds comments to the case of a current or recent visit of the installer. @throws CaseNotFoundError */
export function commenting(
  deps: AdditionDeps,
  actor: Actor,
  adding: FieldCaseTarget,
  input: CommentInput,
): Write<Comment> {
  const { account_id } = actor
  const { sav_id, cle } = adding
  const comment = deps.cases.comment(actor, sav_id, input)
  const content = ['ajout', sav_id, input]
  const name = auteurOf(actor)
  return preparedWrite({
    prepare: () => visitOf(deps, account_id, adding),
    async write(tx, rdv) {
      const dossier = await tx.cases.lock(account_id, sav_id)
      if (dossier === null) throw new CaseNotFoundError(sav_id)
      const known = cle === null ? null : await tx.of(fieldStore).fact(account_id, name.auteur_id, cle)
      if (known !== null && !deps.factDigests.mayBe(known.empreinte, content)) throw new IdempotencyMismatchError()
      // A repetition resolves to the stored comment. After an erasure the comment is refused below, as for any erased
      // client.
      if (known !== null && known.empreinte !== erasedDigest) return writtenAt(tx, account_id, sav_id, known.date)
      const added = await comment.write(tx, undefined)
      if (cle === null) return added
      const about = { rdv_id: rdv.id, sav_id, client_id: dossier.client.id, nature: 'ajout' } as const
      const when = { survenu_a: added.date, date: added.date }
      const empreinte = deps.factDigests.of(content)
      await tx.of(fieldStore).addFact({ ...name, cle, empreinte, ...about, ...when, constat: null })
      return added
    },
  })
}

/** How many comments are searched for one that is sent again. */
const lookedThrough = 200

async function writtenAt(tx: Transaction, account_id: string, sav_id: number, date: string): Promise<Comment> {
  const comments = await tx.cases.comments(account_id, sav_id, { beforeId: null, limit: lookedThrough })
  return foundOf(comments.find((each) => each.date === date) ?? null, 'comment', date)
}

const monthMs = 30 * dayMs

/** The installer's visit to a case. @throws CaseNotFoundError for other cases */
async function visitOf(
  deps: OwnVisitsDeps,
  account_id: string,
  { sav_id, reach }: Omit<FieldCaseTarget, 'cle'>,
): Promise<Rdv> {
  const now = deps.clock.now()
  const [from, until] = [toInstant(now - monthMs), toInstant(now + monthMs)]
  const { items } = await deps.reads
    .of(planningStore)
    .list(account_id, { from, until, sav_id }, { page: 1, limite: 200 })
  const visit = items.find((rdv) => mayTell(rdv, reach, toInstant(now)))
  if (visit === undefined) throw new CaseNotFoundError(sav_id)
  return visit
}

/** Takes a reported absence back, which only its reporter may do. @throws NotFoundError, ConflictError */
export function takingBack(
  { reads, planning }: AdditionDeps,
  actor: Actor,
  { rdv_id, reach }: { readonly rdv_id: number; readonly reach: Reach },
  input: TakeBackInput,
): Write<AdvisedRdvView> {
  const { statut: asked } = parse(takeBackInput, input)
  return preparedWrite({
    async prepare() {
      const rdv = await reads.of(planningStore).find(actor.account_id, rdv_id)
      if (rdv === null || !isOwn(rdv, reach)) throw new NotFoundError('rdv', rdv_id)
      // This call repeats one whose answer was lost.
      if (rdv.statut === asked) return { is: rdv } as const
      const { absence, statut } = rdv
      if (absence === null || absence.par.id !== actor.id) throw conflict('rdv_not_missed', { id: rdv_id, statut })
      const change = planning.change(actor, rdv_id, { statut: absence.statut })
      return { change, prepared: await change.prepare?.() } as const
    },
    async write(tx, back) {
      return 'is' in back ? { ...rdvView(back.is), avertissements: [] } : back.change.write(tx, back.prepared)
    },
  })
}

/** Books another time for the installer's next visit. @throws CaseNotFoundError, ValidationError, SlotTakenError */
export function bookingNext(
  deps: AdditionDeps,
  actor: Actor,
  reach: Reach,
  input: BookNextInput,
): Write<AdvisedRdvView> {
  const { jeton, sav_id } = parse(bookNextInput, input)
  // The age of the offer does not matter, as long as the time is free and in the future.
  const slot = deps.tokens.open(actor.account_id, jeton, 0)
  if (reach !== 'all' && slot.poseur_id !== reach.poseur_id)
    throw new ValidationError([fieldProblem('jeton', 'slot_token_foreign')])
  const book = deps.planning.book(actor, { sav_id, ...slot })
  return preparedWrite({
    async prepare() {
      await visitOf(deps, actor.account_id, { sav_id, reach })
      if (slot.debut <= toInstant(deps.clock.now()))
        throw new ValidationError([fieldProblem('jeton', 'slot_token_expired', { at: slot.debut })])
      return book.prepare?.()
    },
    write: (tx, prepared) => book.write(tx, prepared),
  })
}
