import type { FieldProblem } from '@sav/core'
import { toInstant, toMs } from '@sav/core/feature'
import { type Client, fold, type Poseur, type SavCase } from '@sav/core/ports'
import {
  type Bilan,
  completed,
  isStanding,
  movedFrom,
  type NewRdv,
  occupies,
  overlaps,
  personsOf,
  planningStore,
  type Rdv,
  standing,
} from '@sav/planning/feature'
import { fieldProblem } from './refusals.js'
import {
  differing,
  poseursByName,
  type RowChange,
  type RowRecord,
  type RowResults,
  type WriteContext,
} from './row-changes.js'
import type { Row } from './rows.js'

/** Writes visits of an import: past ones as done, and future ones as planned, if their time is free. */
export async function writeVisits(rows: readonly RowChange<'visits'>[], context: WriteContext): Promise<RowResults> {
  const { tx, actor, at, calendarOf, references } = context
  const { account_id } = actor
  const poseurs = await poseursByName(context)
  const account = await tx.accounts.find(account_id)
  const fuseau = calendarOf(account?.fuseau ?? null).timeZone
  const refused = new Map<number, readonly FieldProblem[]>()
  const noted: RowRecord[] = []
  for (const { place, row: given, id } of rows) {
    const client = references.client.get(place)
    if (client === undefined) continue
    const dossier = references.dossier.get(place) ?? null
    const before = id === null ? null : await tx.of(planningStore).lock(account_id, id)
    const row = before === null || given.poseur_defaut === null ? given : { ...given, poseur: before.poseur.nom }
    const { debut, notes } = row
    const fin = row.fin ?? toInstant(toMs(debut) + lengthMs(before))
    const isOver = fin <= at
    const kept = before === null ? [] : otherSubject(before, { client, dossier })
    if (before !== null && !(isStanding(before) || (isOver && isAsImported(before)))) {
      const fields = othersThan(before, row).map((field) => fieldProblem(field, 'import_kept_visit'))
      noted.push({ place, id: before.id, changed: false, kept: [...kept, ...fields] })
      continue
    }
    const problem = isOver
      ? null
      : await timeProblem(context, { debut, fin, dossier, before, poseur: poseurs.find(row.poseur) })
    if (problem !== null) {
      refused.set(place, [problem])
      continue
    }
    const poseur = await poseurs.named(row.poseur)
    const bilan: Bilan = { resultat: 'resolu', compte_rendu: notes ?? before?.bilan?.compte_rendu ?? null, pieces: [] }
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
      ...(isOver ? completed(bilan) : standing('planifie')),
    }
    if (before === null) noted.push({ place, id: await tx.of(planningStore).add(rdv), changed: true })
    else {
      const changed = othersThan(before, { ...row, fin }).length > 0 || (isOver && isStanding(before))
      if (changed) await tx.of(planningStore).update([moved(before, rdv, row)])
      noted.push({ place, id: before.id, changed, kept })
    }
  }
  return { noted, refused }
}

/** Whether a visit was only imported as done: a row must not replace a report of ours. */
const isAsImported = ({ bilan, intervention_id, notes }: Rdv): boolean =>
  bilan !== null &&
  intervention_id === null &&
  bilan.resultat === 'resolu' &&
  bilan.pieces.length === 0 &&
  (bilan.compte_rendu === null || bilan.compte_rendu === notes)

/** The fields in which a row differs from its visit. */
const othersThan = (before: Rdv, { poseur, debut, fin, type, notes }: Row<'visits'>): string[] => [
  ...differing(before, { debut, fin, type, notes }),
  ...(fold(poseur) === fold(before.poseur.nom) ? [] : ['poseur']),
]

/** The fields in which a row names another case or client than its visit has. An import never changes those. */
function otherSubject(
  before: Rdv,
  { client, dossier }: { readonly client: Pick<Client, 'id'>; readonly dossier: Pick<SavCase, 'id'> | null },
): FieldProblem[] {
  if (dossier !== null) return dossier.id === before.sav?.id ? [] : [fieldProblem('reference_origine', 'import_kept')]
  return client.id === before.client.id ? [] : [fieldProblem('client_id', 'import_kept')]
}

/** The duration of an existing visit; an hour for a new one. */
const lengthMs = (before: Rdv | null) => (before === null ? 3_600_000 : toMs(before.fin) - toMs(before.debut))

interface VisitPlacement extends Pick<NewRdv, 'debut' | 'fin'> {
  readonly dossier: SavCase | null
  readonly before: Rdv | null
  /** Null: the poseur is not added yet, and so is free. */
  readonly poseur: Pick<Poseur, 'id' | 'nom'> | null
}

async function timeProblem(
  { tx, actor }: WriteContext,
  { dossier, before, poseur, ...time }: VisitPlacement,
): Promise<FieldProblem | null> {
  if (dossier?.statut === 'clos' && before === null)
    return fieldProblem('reference_origine', 'import_visit_of_closed', { reference: dossier.reference })
  const persons = [...(poseur === null ? [] : [poseur]), ...(before?.equipiers ?? [])]
  const others = await tx.of(planningStore).overlapping(
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
 * The visit with the row's current data. The customer's agreement, and a round's figures, are only valid for the old
 * time and people.
 */
function moved(before: Rdv, rdv: NewRdv, row: Row<'visits'>): Rdv {
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
  const statut = isStanding(before) && !(moves && before.statut === 'confirme') ? before.statut : 'planifie'
  return { ...before, ...fields, ...standing(statut) }
}
