import { type Actor, type FieldProblem, ValidationError, type Write } from '@sav/core'
import { type NewId, parse, poseurFault, preparedWrite, type SignedTexts, toInstant, toMs } from '@sav/core/feature'
import type { Clock, Transaction } from '@sav/core/ports'
import type { PlanningAdvice } from '../appointments/advice.js'
import { type CustomerLetters, isAwaited, isSameTime, toldTime } from '../appointments/customer-letters.js'
import { keptWindow } from '../appointments/moving.js'
import { followUp } from '../appointments/office-news.js'
import { ownTexts } from '../appointments/own-texts.js'
import { planningStore } from '../appointments/planning-store.js'
import { isEnd, isExpired, type Rdv } from '../appointments/rdv.js'
import { conflict, fieldProblem } from '../refusals.js'
import { placedView, type RescheduledRdv, type RoundVisit, reschedule } from './rescheduling.js'
import { type ReplacedRdv as Moved, type ReplaceInput, type Replacement, replaceInput } from './round-input.js'
import { undoOf } from './undo.js'

interface ReplacingDeps {
  readonly clock: Clock
  readonly newId: NewId
  readonly advice: PlanningAdvice
  readonly letters: CustomerLetters
  /** Signs the token that undoes the change. */
  readonly undos: SignedTexts
}

/** Gives appointments to other people, or other times, in one write: when somebody is ill, for example. */
export function replacingWrites(deps: ReplacingDeps): {
  replace(actor: Actor, input: ReplaceInput): Write<Moved>
} {
  const { clock, letters, undos } = deps
  return {
    replace(actor, input) {
      const { account_id } = actor
      return preparedWrite({
        prepare: async () => parse(replaceInput, input),
        async write(tx, { deplacements, prevenir }) {
          const at = toInstant(clock.now())
          const visits = await visitsOf(tx, account_id, deplacements, at)
          const moves = await reschedule(tx, { actor, visits, at, prevenir }, deps)
          for (const move of moves) if (prevenir) await noteUnreached(tx, letters, { ...move, actor, at })
          return { rdv: moves.map(placedView), version: undoOf(undos, { account_id, at, moves }) }
        },
      })
    },
  }
}

/** @throws ValidationError naming everything unknown, ConflictError for an appointment that can no longer move */
async function visitsOf(
  tx: Transaction,
  account_id: string,
  deplacements: readonly Replacement[],
  now: string,
): Promise<RoundVisit[]> {
  const problems: FieldProblem[] = []
  const found: Rdv[] = []
  const visits: RoundVisit[] = []
  for (const [index, { rdv_id, debut, poseur_id, sans = [] }] of deplacements.entries()) {
    const field = (name: string) => `deplacements[${index}].${name}`
    const rdv = await tx.of(planningStore).find(account_id, rdv_id)
    const poseur = await tx.directory.findPoseur(account_id, poseur_id)
    if (rdv === null) problems.push(fieldProblem(field('rdv_id'), 'rdv_unknown', { id: rdv_id }))
    const fault = rdv?.poseur.id === poseur_id ? null : poseurFault(poseur, poseur_id)
    if (fault !== null) problems.push({ field: field('poseur_id'), ...fault })
    for (const [place, id] of sans.entries()) {
      if (id === poseur_id) problems.push(fieldProblem(field(`sans[${place}]`), 'person_goes_already', { id }))
      else if ((await tx.directory.findPoseur(account_id, id)) === null)
        problems.push(fieldProblem(field(`sans[${place}]`), 'poseur_unknown', { id }))
    }
    if (rdv === null) continue
    found.push(rdv)
    visits.push(visitOf(rdv, { debut, poseur_id, sans }))
  }
  if (problems.length > 0) throw new ValidationError(problems)
  for (const rdv of found) {
    if (isEnd(rdv.statut)) throw conflict('rdv_over', { id: rdv.id, statut: rdv.statut })
    if (isExpired(rdv, now)) throw conflict('rdv_hold_expired', { id: rdv.id, expire_a: rdv.expire_a ?? '' })
  }
  return visits
}

/**
 * The visit at its new time. A moved visit must be confirmed again. A teammate who takes over the visit leaves the
 * team, and so do the people to remove.
 */
function visitOf(
  before: Rdv,
  { debut, poseur_id, sans }: { readonly debut: string; readonly poseur_id: number; readonly sans: readonly number[] },
): RoundVisit {
  const { id, version, fin, statut } = before
  const team = before.equipiers.map((person) => person.id)
  const time = { debut, fin: toInstant(toMs(debut) + toMs(fin) - toMs(before.debut)) }
  return {
    ...{ id, version, poseur_id, ...time },
    equipiers: team.filter((each) => each !== poseur_id && !sans.includes(each)),
    trajet_avant_minutes: null,
    tournee: null,
    fenetre_client: keptWindow(before, time),
    statut: statut === 'confirme' && debut !== before.debut ? 'planifie' : undefined,
  }
}

/** Adds a follow-up for a customer who gets no letter about the new time and must be called. */
async function noteUnreached(
  tx: Transaction,
  letters: CustomerLetters,
  { actor, before, rdv, at }: RescheduledRdv & { readonly actor: Actor; readonly at: string },
): Promise<void> {
  if (!isAwaited(before) || isSameTime(toldTime(before), toldTime(rdv))) return
  if ((await letters.count(tx, [{ actor, before, rdv, at, prevenir: true }])) > 0) return
  await followUp(tx, rdv, { type: 'rdv_pendant_absence', at, texte: ownTexts.movedUntold })
}
