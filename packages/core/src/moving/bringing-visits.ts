import type { SavCase } from '../cases/case.js'
import type { Poseur } from '../directory/directory.js'
import type { FieldProblem } from '../errors.js'
import { fieldProblem } from '../errors.js'
import {
  completed,
  isStanding,
  movedFrom,
  type NewRdv,
  occupies,
  overlaps,
  personsOf,
  type Rdv,
  standing,
} from '../planning/appointments/rdv.js'
import { toInstant, toMs } from '../time/time.js'
import { type Bringing, type Brought, poseursByName, type Way } from './bringing.js'
import type { Row } from './rows.js'

/** Writes visits of an import: past ones as done, and coming ones as planned, where their time is free. */
export async function bringVisits(rows: readonly Bringing<'visits'>[], way: Way): Promise<Brought> {
  const { tx, actor, at, calendarOf, references } = way
  const { account_id } = actor
  const poseurs = await poseursByName(way)
  const account = await tx.accounts.find(account_id)
  const fuseau = calendarOf(account?.fuseau ?? null).timeZone
  const refused = new Map<number, readonly FieldProblem[]>()
  const noted: { place: number; id: number }[] = []
  for (const { place, row, id } of rows) {
    const client = references.client.get(place)
    if (client === undefined) continue
    const dossier = references.dossier.get(place) ?? null
    const before = id === null ? null : await tx.planning.lock(account_id, id)
    const { debut, notes } = row
    const fin = row.fin ?? toInstant(toMs(debut) + lengthMs(before))
    const isOver = fin <= at
    const problem = isOver
      ? null
      : await inItsWay(way, { debut, fin, dossier, before, poseur: poseurs.find(row.poseur) })
    if (problem !== null) {
      refused.set(place, [problem])
      continue
    }
    const poseur = await poseurs.named(row.poseur)
    const rdv: NewRdv = {
      ...{ account_id, type: row.type ?? (dossier === null ? 'autre' : 'sav'), debut, fin, notes },
      sav: dossier && { id: dossier.id, reference: dossier.reference },
      client: { id: client.id, nom: client.nom, prenom: client.prenom },
      poseur: { id: poseur.id, nom: poseur.nom },
      equipiers: [],
      fuseau,
      ...{ fenetre_client: null, lieu: null, lieu_client: client.lieu, telephone_client: client.telephone },
      ...{ trajet_avant_minutes: null, tournee: null, intervention_id: null, retard_minutes: null },
      ...{ lettre_due: null, deplacements: [], derniere_lettre: null },
      ...{ date_creation: at, date_modification: at, version: 1 },
      ...(isOver ? completed({ resultat: 'resolu', compte_rendu: notes, pieces: [] }) : standing('planifie')),
    }
    if (before === null) noted.push({ place, id: await tx.planning.add(rdv) })
    else {
      if (isStanding(before)) await tx.planning.update([moved(before, rdv, row)])
      noted.push({ place, id: before.id })
    }
  }
  return { noted, refused }
}

/** The duration of an existing visit; an hour for a new one. */
const lengthMs = (before: Rdv | null) => (before === null ? 3_600_000 : toMs(before.fin) - toMs(before.debut))

interface Coming extends Pick<NewRdv, 'debut' | 'fin'> {
  readonly dossier: SavCase | null
  readonly before: Rdv | null
  /** Null: not there yet, so free. */
  readonly poseur: Pick<Poseur, 'id' | 'nom'> | null
}

async function inItsWay(
  { tx, actor }: Way,
  { dossier, before, poseur, ...time }: Coming,
): Promise<FieldProblem | null> {
  if (dossier?.statut === 'clos' && before === null)
    return fieldProblem('reference_origine', 'import_visit_of_closed', { reference: dossier.reference })
  const persons = [...(poseur === null ? [] : [poseur]), ...(before?.equipiers ?? [])]
  const others = await tx.planning.overlapping(
    actor.account_id,
    persons.map(({ id }) => id),
    time,
  )
  const taken = others.find((other) => other.id !== before?.id && occupies(other) && overlaps(other, time))
  if (taken === undefined) return null
  const { debut, fin } = taken
  const who = persons.find(({ id }) => personsOf(taken).includes(id)) ?? taken.poseur
  return fieldProblem('debut', 'import_time_taken', { poseur: who.nom, debut, fin })
}

/**
 * The visit with the row's present data. An agreement with the customer, and the figures of a round, hold for the old
 * time and persons alone.
 */
function moved(
  before: Rdv & { readonly statut: 'planifie' | 'confirme' | 'en_cours' },
  rdv: NewRdv,
  row: Row<'visits'>,
): Rdv {
  const { poseur, debut, fin, date_modification, bilan } = rdv
  const next = { date_modification, version: before.version + 1 }
  const moves = debut !== before.debut || fin !== before.fin || poseur.id !== before.poseur.id
  const fields = {
    ...{ poseur, debut, fin, notes: row.notes ?? before.notes, type: row.type ?? before.type, ...next },
    equipiers: before.equipiers.filter(({ id }) => id !== poseur.id),
    ...(moves && { fenetre_client: null, trajet_avant_minutes: null, tournee: null }),
    ...(moves && { deplacements: movedFrom(before, next) }),
  }
  if (bilan !== null) return { ...before, ...fields, ...completed(bilan) }
  const statut = moves && before.statut === 'confirme' ? 'planifie' : before.statut
  return { ...before, ...fields, ...standing(statut) }
}
