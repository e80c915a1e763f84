import { toInstant } from '@sav/core/feature'
import type { Storage } from '@sav/core/ports'
import { instantAfter as instant, type Owner, poseur, present } from '@sav/storage-contract'
import { planningStore } from '../appointments/planning-store.js'
import { type NewRdv, type Rdv, type RdvState, standing } from '../appointments/rdv.js'

/** 2026-03-16 is a Monday; local time in Paris is an hour ahead. */
const monday = Date.UTC(2026, 2, 16)

/** The instant of that Monday at `hours` of UTC, `days` later. */
export const at = (hours: number, days = 0) => toInstant(monday + (days * 24 + hours) * 3_600_000)

/** A new appointment of two hours, from `hours` of that Monday. */
export function newRdv(owner: Owner, hours: number, state: RdvState = standing('planifie')): NewRdv {
  return {
    account_id: owner.account_id,
    type: 'pose',
    sav: null,
    client: { id: owner.client_id, nom: `Client de ${owner.account_id}`, prenom: 'Alice' },
    poseur: { id: owner.poseur_id, nom: `Poseur de ${owner.account_id}` },
    equipiers: [],
    debut: at(hours),
    fin: at(hours + 2),
    fuseau: 'Europe/Paris',
    fenetre_client: null,
    lieu: null,
    lieu_client: null,
    telephone_client: null,
    trajet_avant_minutes: null,
    tournee: null,
    intervention_id: null,
    retard_minutes: null,
    notes: null,
    deplacements: [],
    lettre_due: null,
    derniere_lettre: null,
    date_creation: instant(),
    date_modification: instant(),
    version: 1,
    ...state,
  }
}

/** Adds an appointment, without checking for conflicts. */
export async function addRdv(storage: Storage, rdv: NewRdv): Promise<Rdv> {
  const id = await storage.transaction((tx) => tx.of(planningStore).add(rdv))
  return present(await storage.reads.of(planningStore).find(rdv.account_id, id))
}

/** Changes an appointment as the core does: it is locked first, and gets the next version. */
export async function changeRdv(storage: Storage, { account_id, id }: Rdv, change: (found: Rdv) => Rdv): Promise<Rdv> {
  return storage.transaction(async (tx) => {
    const found = present(await tx.of(planningStore).lock(account_id, id))
    await tx.of(planningStore).update([{ ...change(found), version: found.version + 1 }])
    return present(await tx.of(planningStore).find(account_id, id))
  })
}

/** Adds another person. */
export async function addPerson(storage: Storage, { account_id }: Owner, nom: string): Promise<Rdv['poseur']> {
  const id = await storage.transaction((tx) => tx.directory.addPoseur(account_id, poseur({ nom })))
  return { id, nom }
}
