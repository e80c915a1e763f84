import type { FieldProblem } from '../errors.js'
import { fieldProblem } from '../errors.js'
import {
  completed,
  isStanding,
  type NewRdv,
  occupies,
  overlaps,
  type Rdv,
  standing,
} from '../planning/appointments/rdv.js'
import { type Bringing, type Brought, poseursByName, type Way } from './bringing.js'

/** Visits of an import: those that are over as done, and those to come as planned, where their time is free. */
export async function bringVisits(rows: readonly Bringing<'visits'>[], way: Way): Promise<Brought> {
  const { tx, actor, at, calendarOf, references } = way
  const { account_id } = actor
  const poseurOf = await poseursByName(way)
  const account = await tx.accounts.find(account_id)
  const refused = new Map<number, readonly FieldProblem[]>()
  const noted: { place: number; id: number }[] = []
  for (const { place, row, id } of rows) {
    const client = references.client.get(place)
    if (client === undefined) continue
    const dossier = references.dossier.get(place) ?? null
    const poseur = await poseurOf(row.poseur)
    const { debut, fin, notes, type } = row
    const state = fin <= at ? completed({ resultat: 'resolu', compte_rendu: notes, pieces: [] }) : standing('planifie')
    const rdv: NewRdv = {
      ...{ account_id, type: type ?? (dossier === null ? 'autre' : 'sav'), debut, fin, notes },
      sav: dossier && { id: dossier.id, reference: dossier.reference },
      client: { id: client.id, nom: client.nom, prenom: client.prenom },
      poseur: { id: poseur.id, nom: poseur.nom },
      equipiers: [],
      fuseau: calendarOf(account?.fuseau ?? null).timeZone,
      ...{ fenetre_client: null, lieu: null, lieu_client: client.lieu, telephone_client: client.telephone },
      ...{ trajet_avant_minutes: null, tournee: null, intervention_id: null, retard_minutes: null },
      ...{ lettre_due: null, deplacements: [], derniere_lettre: null },
      ...{ date_creation: at, date_modification: at, version: 1 },
      ...state,
    }
    const before = id === null ? null : await tx.planning.lock(account_id, id)
    const problem = await inItsWay(way, rdv, before)
    if (problem !== null) refused.set(place, [problem])
    else if (before === null) noted.push({ place, id: await tx.planning.add(rdv) })
    else {
      if (isStanding(before)) await tx.planning.update([moved(before, rdv)])
      noted.push({ place, id: before.id })
    }
  }
  return { noted, refused }
}

async function inItsWay({ tx, actor }: Way, rdv: NewRdv, before: Rdv | null): Promise<FieldProblem | null> {
  if (!occupies(rdv)) return null
  if (rdv.sav !== null && before === null) {
    const dossier = await tx.cases.find(actor.account_id, rdv.sav.id)
    if (dossier?.statut === 'clos')
      return fieldProblem('reference_origine', 'import_visit_of_closed', { reference: dossier.reference })
  }
  const others = await tx.planning.overlapping(actor.account_id, [rdv.poseur.id], rdv)
  const taken = others.find((other) => other.id !== before?.id && occupies(other) && overlaps(other, rdv))
  if (taken === undefined) return null
  const { debut, fin } = taken
  return fieldProblem('debut', 'import_time_taken', { poseur: rdv.poseur.nom, debut, fin })
}

/** As it was, with what the row says of it now. */
function moved(before: Rdv, { poseur, debut, fin, notes, type, date_modification, bilan }: NewRdv): Rdv {
  const fields = { poseur, debut, fin, notes, type, date_modification, version: before.version + 1 }
  return bilan === null ? { ...before, ...fields } : { ...before, ...fields, ...completed(bilan) }
}
