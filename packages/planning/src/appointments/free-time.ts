import { SlotTakenError } from '@sav/core'
import type { NewId, TakenTime } from '@sav/core/feature'
import type { Transaction } from '@sav/core/ports'
import type { PlanningAdvice } from './advice.js'
import { cancelExpired } from './effects.js'
import { planningStore } from './planning-store.js'
import { isExpired, type NewRdv, personsOf, type Rdv } from './rdv.js'

interface FreeTimeDeps {
  readonly newId: NewId
  readonly advice: PlanningAdvice
  /** The current time. */
  readonly at: string
  /** Ids of appointments that give up their times in this transaction, and so are no conflict. */
  readonly leaving?: readonly number[]
}

/**
 * Frees a time: cancels expired holds, and refuses any other conflict.
 * @throws SlotTakenError naming the conflict, and possible times
 */
export async function freeTime(
  tx: Transaction,
  wanted: NewRdv,
  { newId, advice, at, leaving = [] }: FreeTimeDeps,
): Promise<void> {
  const { account_id, debut, fin } = wanted
  const taken = await tx.of(planningStore).overlapping(account_id, personsOf(wanted), { debut, fin })
  const others = taken.filter(({ id }) => !leaving.includes(id))
  const inTheWay = others.find((rdv) => !isExpired(rdv, at))
  if (inTheWay !== undefined) {
    throw new SlotTakenError({ conflit: takenTime(inTheWay), alternatives: await advice.alternatives(tx, wanted) })
  }
  for (const hold of others) await cancelExpired(tx, hold, { at, newId })
}

/** The conflicting appointment, as a refusal shows it. */
export const takenTime = ({ id, debut, fin, poseur }: Rdv): TakenTime => ({ id, debut, fin, poseur: { id: poseur.id } })
