import { ValidationError, VersionMismatchError } from '@sav/core'
import {
  erasedText,
  found as foundOf,
  parse,
  preparedWrite,
  type Reads,
  refuseErased,
  saysNothing,
  toInstant,
  toMs,
  type WritesOf,
} from '@sav/core/feature'
import type { Account, Clock, SavCase, Transaction } from '@sav/core/ports'
import { warningsOf } from './agendas/warnings.js'
import { type ApplyDeps, applyChange } from './appointments/applying.js'
import { type AdvisedRdvView, bookRdvInput, changeRdvInput, type RdvChange } from './appointments/inputs.js'
import { decideChange, timeOf } from './appointments/moving.js'
import { personsIn } from './appointments/parties.js'
import { planningStore } from './appointments/planning-store.js'
import { type Rdv, rdvView } from './appointments/rdv.js'
import { bookIn, refuseClosed } from './booking.js'
import { reason } from './refusals.js'
import type { Note } from './travel/notes.js'
import type { Planning } from './use-cases.js'
import { localDays } from './working-time/working-days.js'

export interface PlanningWritesDeps extends ApplyDeps {
  readonly reads: Reads
  readonly clock: Clock
}

/** The writes of appointments. */
export function rdvWrites(deps: PlanningWritesDeps): WritesOf<Planning, 'book' | 'change'> {
  const { reads, clock, calendarOf } = deps
  return {
    book(actor, input) {
      const { account_id } = actor
      return preparedWrite({
        async prepare() {
          const valid = parse(bookRdvInput, input)
          const slot = valid.jeton === undefined ? null : deps.advice.openSlot(account_id, valid.jeton)
          const booking = slot === null ? valid : { ...valid, ...slot }
          return { booking, account: await accountOf(reads, account_id) }
        },
        async write(tx, { booking, account }) {
          const at = toInstant(clock.now())
          const { added, dossier } = await bookIn(tx, { actor, booking, account, at }, deps)
          return advised(tx, added, { calendarOf, account, dossier })
        },
      })
    },

    change(actor, id, input, ifVersion) {
      const { account_id } = actor
      return preparedWrite({
        async prepare() {
          const change = parse(changeRdvInput, input)
          const before = foundOf(await reads.of(planningStore).find(account_id, id), 'rdv', id)
          return { change, sav_id: before.sav?.id ?? null, account: await accountOf(reads, account_id) }
        },
        // Locked in the same order by all writes here: the case, its people, the appointment.
        async write(tx, { change, sav_id, account }) {
          const at = toInstant(clock.now())
          const dossier = sav_id === null ? null : await tx.cases.lock(account_id, sav_id)
          const found = foundOf(await tx.of(planningStore).find(account_id, id), 'rdv', id)
          const { problems, ...persons } = await personsIn(tx, account_id, change, found)
          const before = foundOf(await tx.of(planningStore).lock(account_id, id), 'rdv', id)
          if (ifVersion && !ifVersion.includes(before.version))
            throw new VersionMismatchError(reason('rdv_version_mismatch', { id, version: before.version }))
          await refuseAboutErased(tx, before, change)
          const time = timeOf(change, before)
          if ('field' in time) throw new ValidationError([...problems, time])
          if (problems.length > 0) throw new ValidationError(problems)

          const decision = decideChange(before, change, { actor, persons, time, now: at })
          if (before.statut === 'absent' && decision.takesTime) refuseClosed(dossier)
          const { prevenir } = change
          const told = await applyChange(tx, { actor, account, before, dossier, decision, prevenir, at }, deps)
          return advised(tx, told, { calendarOf, account, dossier })
        },
      })
    },
  }
}

async function accountOf(reads: Reads, account_id: string): Promise<Account> {
  return foundOf(await reads.accounts.find(account_id), 'account', account_id)
}

/** Refuses texts and places about an erased client. A cancellation needs a reason, so the reason may be `(effacé)`. */
async function refuseAboutErased(tx: Transaction, { account_id, client }: Rdv, change: RdvChange): Promise<void> {
  const { lieu, fenetre_client, notes, motif_annulation, compte_rendu, pieces = [] } = change
  const places = lieu ?? fenetre_client ?? null
  if (places === null && [notes, motif_annulation, compte_rendu].every(saysNothing) && pieces.length === 0) return
  const told = { account_id, client_id: client.id }
  await refuseErased(tx, told, `write nothing about that person; a reason to cancel may be "${erasedText}".`)
}

/** The appointment, with its notes. */
async function advised(
  tx: Transaction,
  rdv: Rdv,
  {
    calendarOf,
    account: { zone_feries },
    dossier,
  }: Pick<PlanningWritesDeps, 'calendarOf'> & { readonly account: Account; readonly dossier: SavCase | null },
): Promise<AdvisedRdvView> {
  const { account_id, fuseau, debut, fin } = rdv
  const calendar = calendarOf(fuseau)
  const [du, au] = [calendar.dateAt(toMs(debut)), calendar.dateAt(toMs(fin))]
  const days = localDays({ du, au, calendar, zoneFeries: zone_feries })
  const avertissements: Note[] = []
  for (const person of [rdv.poseur, ...rdv.equipiers]) {
    const agenda = await tx.of(planningStore).agenda(account_id, person.id)
    const type_probleme = dossier?.type_probleme ?? null
    avertissements.push(...warningsOf(person, rdv, { agenda, days, type_probleme }))
  }
  return { ...rdvView(rdv), avertissements }
}
