import { type Actor, ClientErasedError, type FieldProblem, ValidationError } from '@sav/core'
import { toInstant, toMs } from '@sav/core/feature'
import type { Account, Client, SavCase, Transaction } from '@sav/core/ports'
import type { ApplyDeps } from './appointments/applying.js'
import { changeItsCase } from './appointments/effects.js'
import { freeTime } from './appointments/free-time.js'
import type { RdvBooking } from './appointments/inputs.js'
import { timeOf } from './appointments/moving.js'
import { clientIn, personsIn } from './appointments/parties.js'
import { planningStore } from './appointments/planning-store.js'
import { held, holdMs, type Interval, type NewRdv, type Rdv, standing } from './appointments/rdv.js'
import { emit, rdvEventData } from './appointments/rdv-events.js'
import { conflict, fieldProblem } from './refusals.js'

interface Booking {
  readonly actor: Actor
  readonly booking: RdvBooking
  readonly account: Account
  readonly at: string
}

/** Adds an appointment, with its effects. @throws SlotTakenError, ValidationError, ConflictError */
export async function bookIn(
  tx: Transaction,
  { actor, booking, account, at }: Booking,
  deps: ApplyDeps,
): Promise<{ readonly added: Rdv; readonly dossier: SavCase | null }> {
  const { newId, random, letters } = deps
  const { dossier, ...wanted } = await lookUp(tx, account.id, booking)
  const rdv = newRdv({ ...wanted, booking, dossier, account, at }, deps)
  await freeTime(tx, rdv, { ...deps, at })
  const noted = await letters.noted(tx, { actor, before: null, rdv, at, prevenir: booking.prevenir })
  const added: Rdv = { ...noted, id: await tx.of(planningStore).add(noted) }
  await emit(tx, newId, { account_id: account.id, event: 'rdv.created', at, data: rdvEventData(added, []) })
  if (added.statut === 'confirme')
    await emit(tx, newId, { account_id: account.id, event: 'rdv.confirmed', at, data: rdvEventData(added, []) })
  if (dossier !== null) await changeItsCase(tx, added, { actor, at, dossier, newId, random })
  return { added, dossier }
}

/** The case, the client, the people and the time of a booking. */
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

/** @throws ConflictError */
export function refuseClosed(dossier: SavCase | null): void {
  if (dossier?.statut === 'clos') throw conflict('case_closed_for_booking', { reference: dossier.reference })
}

interface BookingParts {
  readonly booking: RdvBooking
  readonly account: Account
  readonly dossier: SavCase | null
  readonly client: Client
  readonly poseur: Rdv['poseur']
  readonly equipiers: Rdv['equipiers']
  readonly time: Interval
  /** The current time. */
  readonly at: string
}

function newRdv(
  { booking, account, dossier, client, poseur, equipiers, time, at }: BookingParts,
  { calendarOf }: Pick<ApplyDeps, 'calendarOf'>,
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
    date_creation: at,
    date_modification: at,
    version: 1,
    ...(statut === 'propose' ? held(toInstant(toMs(at) + holdMs)) : standing(statut)),
  }
}
