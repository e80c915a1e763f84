import type { Actor } from '../access/actor.js'
import type { SavCase } from '../cases/case.js'
import { emit } from '../delivery/outbox.js'
import type { Account, Client } from '../directory/directory.js'
import { refuseErased, saysNothing } from '../directory/erased-client.js'
import {
  ClientErasedError,
  conflict,
  type FieldProblem,
  fieldProblem,
  found as foundOf,
  ValidationError,
  VersionMismatchError,
} from '../errors.js'
import { erasedText } from '../evidence/history-chain.js'
import type { Notify } from '../letters/notices.js'
import { reason } from '../refusals/reason.js'
import type { Reads, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { type CalendarOf, toInstant, toMs } from '../time/time.js'
import type { NewId } from '../values/ids.js'
import type { Random } from '../values/random.js'
import { parse } from '../values/validation.js'
import { preparedWrite, type WritesOf } from '../write.js'
import { warningsOf } from './agendas/warnings.js'
import type { PlanningAdvice } from './appointments/advice.js'
import type { CustomerLetters } from './appointments/customer-letters.js'
import { changeItsCase, tellItsCase } from './appointments/effects.js'
import type { AdvisedRdvView } from './appointments/inputs.js'
import { bookRdvInput, changeRdvInput, type RdvBooking, type RdvChange } from './appointments/inputs.js'
import { decideChange, timeOf } from './appointments/moving.js'
import { tellOffice } from './appointments/office-news.js'
import { clientIn, personsIn } from './appointments/parties.js'
import { held, holdMs, type Interval, type NewRdv, type Rdv, rdvView, standing } from './appointments/rdv.js'
import { rdvEventData } from './appointments/rdv-events.js'
import { makeRoom } from './appointments/room.js'
import { tellLate } from './appointments/running-late.js'
import type { Planning } from './planning.js'
import { localDays } from './working-time/working-days.js'

export interface PlanningWritesDeps {
  readonly reads: Reads
  readonly clock: Clock
  readonly calendarOf: CalendarOf
  readonly newId: NewId
  readonly random: Random
  readonly advice: PlanningAdvice
  readonly letters: CustomerLetters
  readonly notify: Notify
}

export function rdvWrites(deps: PlanningWritesDeps): WritesOf<Planning, 'book' | 'change'> {
  const { reads, clock, newId, random, letters, calendarOf } = deps
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
          const ms = clock.now()
          const at = toInstant(ms)
          const { dossier, ...wanted } = await lookUp(tx, account_id, booking)
          const rdv = newRdv({ ...wanted, booking, dossier, account, ms }, deps)
          await makeRoom(tx, rdv, { ...deps, at })
          const noted = await letters.noted(tx, { actor, before: null, rdv, at, prevenir: booking.prevenir })
          const added: Rdv = { ...noted, id: await tx.planning.add(noted) }
          await emit(tx, newId, { account_id, event: 'rdv.created', at, data: rdvEventData(added, []) })
          if (added.statut === 'confirme')
            await emit(tx, newId, { account_id, event: 'rdv.confirmed', at, data: rdvEventData(added, []) })
          if (dossier !== null) await changeItsCase(tx, added, { actor, at, dossier, newId, random })
          return advised(tx, added, { calendarOf, account, dossier })
        },
      })
    },

    change(actor, id, input, ifVersion) {
      const { account_id } = actor
      return preparedWrite({
        async prepare() {
          const change = parse(changeRdvInput, input)
          const before = foundOf(await reads.planning.find(account_id, id), 'rdv', id)
          return { change, sav_id: before.sav?.id ?? null, account: await accountOf(reads, account_id) }
        },
        // Locked in one order by all who write here: the case, its persons, the appointment.
        async write(tx, { change, sav_id, account }) {
          const at = toInstant(clock.now())
          const dossier = sav_id === null ? null : await tx.cases.lock(account_id, sav_id)
          const before = foundOf(await tx.planning.find(account_id, id), 'rdv', id)
          const { problems, ...persons } = await personsIn(tx, account_id, change, before)
          const found = foundOf(await tx.planning.lock(account_id, id), 'rdv', id)
          if (ifVersion && !ifVersion.includes(found.version))
            throw new VersionMismatchError(reason('rdv_version_mismatch', { id, version: found.version }))
          await refuseAboutErased(tx, found, change)
          const time = timeOf(change, found)
          if ('field' in time) throw new ValidationError([...problems, time])
          if (problems.length > 0) throw new ValidationError(problems)

          const { rdv, changes, events, takesTime } = decideChange(found, change, { actor, persons, time, now: at })
          if (changes.length === 0) return advised(tx, found, { calendarOf, account, dossier })
          if (found.statut === 'absent' && takesTime) refuseClosed(dossier)
          if (takesTime) await makeRoom(tx, rdv, { ...deps, at, leaving: [id] })
          const { done, after } = await withItsCase(tx, { actor, at, rdv, before: found, dossier }, deps)
          const told = await letters.noted(tx, { actor, before: found, rdv: done, at, prevenir: change.prevenir })
          await tx.planning.update([told])
          await tellOffice(tx, { actor, account, before: found, rdv: told, dossier: after, at }, deps)
          for (const event of events)
            await emit(tx, newId, { account_id, event, at, data: rdvEventData(told, changes) })
          if (change.prevenir) await tellLate(tx, { before: found, rdv: told, at }, deps)
          return advised(tx, told, { calendarOf, account, dossier })
        },
      })
    },
  }
}

async function accountOf(reads: Reads, account_id: string): Promise<Account> {
  return foundOf(await reads.accounts.find(account_id), 'account', account_id)
}

/** The case, the client, the persons and the time of a booking. */
async function lookUp(tx: Transaction, account_id: string, booking: RdvBooking) {
  const { sav_id, client_id } = booking
  const problems: FieldProblem[] = []
  const dossier = sav_id === undefined ? null : await tx.cases.lock(account_id, sav_id)
  if (sav_id !== undefined && dossier === null) problems.push(fieldProblem('sav_id', 'case_unknown', { id: sav_id }))
  const { client, ...ofClient } = await clientIn(tx, account_id, { client_id, dossier: dossier?.client ?? null })
  const { poseur, equipiers = [], ...ofPersons } = await personsIn(tx, account_id, booking)
  const time = timeOf(booking, null)
  problems.push(...ofClient.problems, ...ofPersons.problems, ...('field' in time ? [time] : []))
  if (problems.length > 0 || client === null || poseur === undefined || 'field' in time)
    throw new ValidationError(problems)
  if (client.efface_le !== null) throw new ClientErasedError(client.id, 'add a new one.')
  refuseClosed(dossier)
  return { dossier, client, poseur, equipiers, time }
}

function refuseClosed(dossier: SavCase | null): void {
  if (dossier?.statut === 'clos') throw conflict('case_closed_for_booking', { reference: dossier.reference })
}

/** Words and places of an appointment tell of its client. A reason to cancel has to be given: `(effacé)` is one. */
async function refuseAboutErased(tx: Transaction, { account_id, client }: Rdv, change: RdvChange): Promise<void> {
  const { lieu, fenetre_client, notes, motif_annulation, compte_rendu, pieces = [] } = change
  const places = lieu ?? fenetre_client ?? null
  if (places === null && [notes, motif_annulation, compte_rendu].every(saysNothing) && pieces.length === 0) return
  const told = { account_id, client_id: client.id }
  await refuseErased(tx, told, `write nothing about that person; a reason to cancel may be "${erasedText}".`)
}

interface Wanted {
  readonly booking: RdvBooking
  readonly account: Account
  readonly dossier: SavCase | null
  readonly client: Client
  readonly poseur: Rdv['poseur']
  readonly equipiers: Rdv['equipiers']
  readonly time: Interval
  /** The present. */
  readonly ms: number
}

function newRdv(
  { booking, account, dossier, client, poseur, equipiers, time, ms }: Wanted,
  { calendarOf }: Pick<PlanningWritesDeps, 'calendarOf'>,
): NewRdv {
  const { statut, type, fenetre_client, lieu, notes } = booking
  return {
    account_id: account.id,
    type: type ?? (dossier === null ? 'autre' : 'sav'),
    sav: dossier && { id: dossier.id, reference: dossier.reference },
    client: { id: client.id, nom: client.nom, prenom: client.prenom },
    poseur,
    equipiers,
    ...time,
    fuseau: calendarOf(account.fuseau).timeZone,
    fenetre_client,
    lieu,
    lieu_client: client.lieu,
    telephone_client: client.telephone,
    trajet_avant_minutes: null,
    tournee: null,
    intervention_id: null,
    retard_minutes: null,
    notes,
    lettre_due: null,
    deplacements: [],
    derniere_lettre: null,
    date_creation: toInstant(ms),
    date_modification: toInstant(ms),
    version: 1,
    ...(statut === 'propose' ? held(toInstant(ms + holdMs)) : standing(statut)),
  }
}

interface Changed {
  readonly actor: Actor
  readonly at: string
  readonly rdv: Rdv
  readonly before: Rdv
  readonly dossier: SavCase | null
}

/** What the change does to the case, as it is `after`; the appointment then knows the intervention that it left. */
async function withItsCase(
  tx: Transaction,
  { actor, at, rdv, before, dossier }: Changed,
  { newId, random }: Pick<PlanningWritesDeps, 'newId' | 'random'>,
): Promise<{ readonly done: Rdv; readonly after: SavCase | null }> {
  if (dossier === null || rdv.statut === before.statut) return { done: rdv, after: dossier }
  const changed = await changeItsCase(tx, rdv, { actor, at, dossier, newId, random })
  if (rdv.statut !== 'realise') return { done: rdv, after: changed }
  const intervention_id = await tellItsCase(tx, rdv, { actor, at, dossier: changed, random })
  return { done: { ...rdv, intervention_id }, after: null }
}

/** With what a person should know of it. */
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
  const avertissements: string[] = []
  for (const person of [rdv.poseur, ...rdv.equipiers]) {
    const agenda = await tx.planning.agenda(account_id, person.id)
    const type_probleme = dossier?.type_probleme ?? null
    avertissements.push(...warningsOf(person, rdv, { agenda, days, type_probleme }))
  }
  return { ...rdvView(rdv), avertissements }
}
