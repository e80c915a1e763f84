import { type Actor, ValidationError, type Write } from '@sav/core'
import {
  calendarDate,
  dayMs,
  id,
  lazily,
  type NewId,
  type Output,
  parse,
  preparedWrite,
  type SignedTexts,
  toInstant,
  toMs,
} from '@sav/core/feature'
import type { Clock } from '@sav/core/ports'
import * as z from 'zod'
import type { PlanningAdvice } from '../appointments/advice.js'
import type { CustomerLetters } from '../appointments/customer-letters.js'
import { conflict, fieldProblem } from '../refusals.js'
import { placedView, type RescheduledRdv, reschedule } from './rescheduling.js'
import { type UndoInput, type UndoneRounds, undoInput } from './round-input.js'

/** How long an applied plan can be undone. */
const undoableMs = dayMs

const interval = lazily(() => z.object({ debut: z.string(), fin: z.string() }))

/** What an undo restores: the previous state of each visit. `version` is the version that the plan gave it. */
const undone = lazily(() =>
  z.object({
    /** When the plan was applied: milliseconds since the Unix epoch. */
    at: z.int(),
    visits: z.array(
      z.object({
        ...interval().shape,
        id: id(),
        version: id(),
        poseur_id: id(),
        equipiers: z.array(id()),
        trajet_avant_minutes: z.int().nullable(),
        tournee: z.object({ date: calendarDate(), ordre: id() }).nullable(),
        fenetre_client: interval().nullable(),
        /** Absent: the status is unchanged. */
        statut: z.literal('confirme').optional(),
      }),
    ),
  }),
)
type Undo = Output<typeof undone>

interface UndoDeps {
  readonly clock: Clock
  readonly newId: NewId
  readonly advice: PlanningAdvice
  readonly letters: CustomerLetters
  /** Signs the token that undoes a plan. */
  readonly undos: SignedTexts
}

/** The token that undoes the write. */
export function undoOf(
  undos: SignedTexts,
  {
    account_id,
    at,
    moves,
  }: { readonly account_id: string; readonly at: string; readonly moves: readonly RescheduledRdv[] },
): string {
  const visits = moves.map(({ before, rdv }): Undo['visits'][number] => {
    const { debut, fin, poseur, equipiers, trajet_avant_minutes, tournee, fenetre_client } = before
    return {
      ...{ id: rdv.id, version: rdv.version, debut, fin, trajet_avant_minutes, tournee, fenetre_client },
      ...{ poseur_id: poseur.id, equipiers: equipiers.map((each) => each.id) },
      ...(before.statut === 'confirme' && rdv.statut !== 'confirme' && { statut: 'confirme' as const }),
    }
  })
  return undos.sign(account_id, JSON.stringify({ at: toMs(at), visits } satisfies Undo))
}

export function undoWrites(deps: UndoDeps): { undo(actor: Actor, input: UndoInput): Write<UndoneRounds> } {
  const { clock, undos } = deps
  return {
    undo(actor, input) {
      return preparedWrite({
        async prepare() {
          const { version, prevenir } = parse(undoInput, input)
          const opened = undos.open(actor.account_id, version)
          if (opened === null) throw new ValidationError([fieldProblem('version', 'undo_version_unknown')])
          return { plan: undone().parse(JSON.parse(opened)), prevenir }
        },
        async write(tx, { plan, prevenir }) {
          const now = clock.now()
          if (now - plan.at > undoableMs) throw conflict('plan_too_old')
          const moves = await reschedule(tx, { actor, visits: plan.visits, at: toInstant(now), prevenir }, deps)
          return { rdv: moves.map(placedView) }
        },
      })
    },
  }
}
