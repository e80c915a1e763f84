import type { Actor } from '@sav/core'
import type { CalendarOf, NewId, Notify } from '@sav/core/feature'
import type { Account, Random, SavCase, Transaction } from '@sav/core/ports'
import type { PlanningAdvice } from './advice.js'
import type { CustomerLetters } from './customer-letters.js'
import { changeItsCase, type OnSiteReport, tellItsCase } from './effects.js'
import { freeTime } from './free-time.js'
import type { RdvDecision } from './moving.js'
import { tellOffice } from './office-news.js'
import { planningStore } from './planning-store.js'
import type { Rdv } from './rdv.js'
import { emit, rdvEventData } from './rdv-events.js'
import { tellLate } from './running-late.js'

/** What changing an appointment needs. */
export interface ApplyDeps {
  readonly calendarOf: CalendarOf
  readonly newId: NewId
  readonly random: Random
  readonly advice: PlanningAdvice
  readonly letters: CustomerLetters
  readonly notify: Notify
}

interface ApplyRequest {
  readonly actor: Actor
  readonly account: Account
  /** The appointment that `lock` returned. */
  readonly before: Rdv
  /** The case of the appointment. It was locked before the appointment. */
  readonly dossier: SavCase | null
  readonly decision: RdvDecision
  /** Whether customers get letters. */
  readonly prevenir: boolean
  readonly at: string
  /** An installer's report from the visit. */
  readonly onSite?: OnSiteReport
}

/**
 * Stores a decided change of an appointment with its effects: on its case, on conflicting holds, and with its letters
 * and events. Resolves to the changed appointment. @throws SlotTakenError
 */
export async function applyChange(
  tx: Transaction,
  { actor, account, before, dossier, decision, prevenir, at, onSite }: ApplyRequest,
  deps: ApplyDeps,
): Promise<Rdv> {
  const { rdv, changes, events, takesTime } = decision
  if (changes.length === 0) return before
  if (takesTime) await freeTime(tx, rdv, { ...deps, at, leaving: [before.id] })
  const { done, after } = await withItsCase(tx, { actor, at, rdv, before, dossier, onSite }, deps)
  const told = await deps.letters.noted(tx, { actor, before, rdv: done, at, prevenir })
  await tx.of(planningStore).update([told])
  await tellOffice(tx, { actor, account, before, rdv: told, dossier: after, at }, deps)
  for (const event of events)
    await emit(tx, deps.newId, { account_id: account.id, event, at, data: rdvEventData(told, changes) })
  if (prevenir) await tellLate(tx, { before, rdv: told, at }, deps)
  return told
}

interface AppliedChange extends Pick<ApplyRequest, 'actor' | 'at' | 'before' | 'dossier'> {
  readonly rdv: Rdv
  readonly onSite: OnSiteReport | undefined
}

/** Applies the change to the case. The result has the id of the new intervention, if there is one. */
async function withItsCase(
  tx: Transaction,
  { actor, at, rdv, before, dossier, onSite }: AppliedChange,
  { newId, random }: Pick<ApplyDeps, 'newId' | 'random'>,
): Promise<{ readonly done: Rdv; readonly after: SavCase | null }> {
  if (dossier === null || rdv.statut === before.statut) return { done: rdv, after: dossier }
  const changed = await changeItsCase(tx, rdv, { actor, at, dossier, newId, random })
  if (rdv.statut !== 'realise') return { done: rdv, after: changed }
  const intervention_id = await tellItsCase(tx, rdv, { actor, at, dossier: changed, random, ...onSite })
  return { done: { ...rdv, intervention_id }, after: null }
}
