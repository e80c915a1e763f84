import * as z from 'zod'
import type { Actor } from '../../access/actor.js'
import type { SignedTexts } from '../../crypto/signed-text.js'
import { conflict, fieldProblem, ValidationError } from '../../errors.js'
import type { Clock } from '../../time/clock.js'
import { dayMs, toInstant, toMs } from '../../time/time.js'
import type { NewId } from '../../values/ids.js'
import { lazily, type Output } from '../../values/lazily.js'
import { calendarDate, id, parse } from '../../values/validation.js'
import { preparedWrite, type Write } from '../../write.js'
import type { PlanningAdvice } from '../appointments/advice.js'
import type { CustomerLetters } from '../appointments/customer-letters.js'
import type { Rdv } from '../appointments/rdv.js'
import { placedView, type RescheduledRdv, type RoundVisit, reschedule } from './rescheduling.js'
import { type UndoInput, type UndoneRounds, undoInput } from './round-input.js'

/** How long an applied plan can be taken back. */
const undoableMs = dayMs

const tournee = lazily(() => z.tuple([calendarDate(), id()]).nullable())
/** What rounds leave as it is: whether it was confirmed, and the customer's window in milliseconds. */
const promised = lazily(() => z.object({ confirme: z.boolean(), fenetre: z.tuple([z.int(), z.int()]).nullable() }))
const undone = lazily(() =>
  z.object({
    /** When it was applied: milliseconds since the Unix epoch. */
    at: z.int(),
    /**
     * Id and version now; poseur, begin and end in milliseconds, minutes of travel, place in a round, the promise, and who
     * came along, before.
     */
    visits: z.array(
      z.tuple([
        id(),
        id(),
        id(),
        z.int(),
        z.int(),
        z.int().nullable(),
        tournee(),
        promised().nullish(),
        z.array(id()).optional(),
      ]),
    ),
  }),
)
type Undo = Output<typeof undone>

interface UndoDeps {
  readonly clock: Clock
  readonly newId: NewId
  readonly advice: PlanningAdvice
  readonly letters: CustomerLetters
  /** Signs what a plan is taken back by. */
  readonly undos: SignedTexts
}

/** The version by which a write that has just been done is taken back. */
export function undoOf(
  undos: SignedTexts,
  {
    account_id,
    at,
    moves,
  }: { readonly account_id: string; readonly at: string; readonly moves: readonly RescheduledRdv[] },
): string {
  const visits = moves.map(({ before, rdv }): Undo['visits'][number] => {
    const { debut, fin, poseur, trajet_avant_minutes, tournee } = before
    const team = before.equipiers.length === rdv.equipiers.length ? undefined : before.equipiers.map(({ id }) => id)
    const place = tournee && ([tournee.date, tournee.ordre] satisfies [string, number])
    const time = [toMs(debut), toMs(fin)] as const
    const told = [rdv.id, rdv.version, poseur.id, ...time, trajet_avant_minutes, place] as const
    return team === undefined ? [...told, promisedBefore(before, rdv)] : [...told, promisedBefore(before, rdv), team]
  })
  return undos.sign(account_id, JSON.stringify({ at: toMs(at), visits } satisfies Undo))
}

/** The promise before; null where it is still the same. */
function promisedBefore(before: Rdv, rdv: Rdv): Output<typeof promised> | null {
  const { fenetre_client: window } = before
  const confirme = before.statut === 'confirme' && rdv.statut !== 'confirme'
  if (!confirme && window === rdv.fenetre_client) return null
  return { confirme, fenetre: window && [toMs(window.debut), toMs(window.fin)] }
}

const visitsOf = ({ visits }: Undo) =>
  visits.map(([rdv_id, version, poseur_id, debut, fin, trajet_avant_minutes, place, before, equipiers]): RoundVisit => {
    const tournee = place && { date: place[0], ordre: place[1] }
    const time = intervalOf([debut, fin])
    const placed = { id: rdv_id, version, poseur_id, equipiers, ...time, trajet_avant_minutes, tournee }
    if (!before) return placed
    const statut = before.confirme ? 'confirme' : undefined
    return { ...placed, statut, fenetre_client: before.fenetre && intervalOf(before.fenetre) }
  })

const intervalOf = ([debut, fin]: readonly [number, number]) => ({ debut: toInstant(debut), fin: toInstant(fin) })

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
          const moves = await reschedule(tx, { actor, visits: visitsOf(plan), at: toInstant(now), prevenir }, deps)
          return { rdv: moves.map(placedView) }
        },
      })
    },
  }
}
