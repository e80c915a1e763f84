import type { CaseSummary } from '@sav/core'
import type { ChainedHistoryEntry } from '@sav/core/adapter'
import {
  type CaseChanges,
  type CaseWrites,
  closingFields,
  formatReference,
  type NewHistoryEntry,
  type SavCase,
} from '@sav/core/ports'
import type { Selectable } from 'kysely'
import { picked } from '../tables/rows.js'
import { type Schema, tables } from '../tables/tables.js'

type CaseClose = NonNullable<CaseChanges['closing']>
export type Comment = Awaited<ReturnType<CaseWrites['comments']>>[number]

/**
 * Converts rows of cases to the core's records, and back. Other columns only need the table (`Table.read`,
 * `Table.written`).
 */

type StoredCase = Selectable<Schema['cases']>

interface NamesOfCase {
  readonly client_nom: string
  readonly client_prenom: string
  /** Null if no poseur is assigned. */
  readonly poseur_nom: string | null
}

type SummaryRow = NamesOfCase &
  Pick<
    StoredCase,
    'id' | 'annee' | 'numero' | 'client_id' | 'poseur_id' | 'description' | 'statut' | 'priorite' | 'date_creation'
  >

/**
 * A poseur whose row is missing is shown without a name. If it were shown as null, evidence would not notice that the
 * case names another poseur.
 */
const assignedTo = (
  id: number | null,
  nom: string | null,
): Omit<CaseSummary, 'ville' | 'telephone'>['poseur_assigne'] => (id === null ? null : { id, nom: nom ?? '' })

type ListedRow = SummaryRow & Pick<Selectable<Schema['clients']>, 'telephone' | 'lieu'>

/** Reads field by field, without parsing the place. Parsing takes 23 of the 130 µs of a page of 50, also in SQL. */
export function toListed(row: ListedRow): CaseSummary {
  const { annee, numero } = row
  return {
    id: row.id,
    reference: formatReference({ annee, numero }),
    client: { id: row.client_id, nom: row.client_nom, prenom: row.client_prenom },
    description: row.description,
    statut: row.statut,
    priorite: row.priorite,
    date_creation: row.date_creation,
    poseur_assigne: assignedTo(row.poseur_id, row.poseur_nom),
    ville: townIn(row.lieu),
    telephone: row.telephone,
  }
}

const townField = '"ville":"'

/** The town in a stored place. Inside a text, quotes are escaped by backslashes. */
function townIn(lieu: string | null): string | null {
  const start = lieu?.indexOf(townField) ?? -1
  if (lieu === null || start < 0) return null
  const from = start + townField.length
  const text = lieu.slice(from, lieu.indexOf('"', from))
  return text.includes('\\') ? (tables.clients.read({ lieu }).lieu?.ville ?? null) : text
}

export type CaseRow = NamesOfCase & Omit<StoredCase, 'recherche' | 'recherche_client'>

export function toCase(row: CaseRow): SavCase {
  const { annee, numero, client_id, client_nom, client_prenom, poseur_id, poseur_nom, ...read } = tables.cases.read(row)
  const { historique_numero, historique_hash, statut, date_cloture, resolution, photo_avant, ...others } = read
  const { photo_apres, signature_client, signataire_nom, reserves, survenu_a, decalage_ms, vu, ...rest } = others
  const fields = {
    ...rest,
    reference: formatReference({ annee, numero }),
    client: { id: client_id, nom: client_nom, prenom: client_prenom },
    poseur_assigne: assignedTo(poseur_id, poseur_nom),
    tete_historique: { numero: historique_numero, hash: historique_hash },
  }
  if (statut !== 'clos') return { ...fields, statut }
  // A close writes all of these fields.
  const closing = picked(read, closingFields) as CaseClose
  return { ...fields, statut, ...closing }
}

type HeadRow = Pick<StoredCase, 'historique_numero' | 'historique_hash'>

/** The columns for the head of a case's history. */
export function fromHead({ numero, hash }: SavCase['tete_historique']): HeadRow {
  return { historique_numero: numero, historique_hash: hash }
}

/** The columns of a close; null: no close. */
export function fromClosing(closing: CaseClose | null): Pick<StoredCase, (typeof closingFields)[number]> {
  const none = Object.fromEntries(closingFields.map((name) => [name, null])) as Record<keyof CaseClose, null>
  return tables.cases.written(closing === null ? none : picked(closing, closingFields))
}

type HistoryRow = Pick<
  Selectable<Schema['case_history']>,
  'acteur_type' | 'acteur_id' | 'acteur_nom' | 'ancienne_valeur' | 'nouvelle_valeur'
>

export function toHistoryEntry<R extends HistoryRow>({
  acteur_type,
  acteur_id,
  acteur_nom,
  ...row
}: R): ReturnType<typeof tables.case_history.read<Omit<R, 'acteur_type' | 'acteur_id' | 'acteur_nom'>>> & {
  readonly acteur: NewHistoryEntry['acteur']
} {
  return { ...tables.case_history.read(row), acteur: { type: acteur_type, id: acteur_id, nom: acteur_nom } }
}

type CommentRow = { readonly id: number } & Pick<
  Selectable<Schema['case_history']>,
  'date' | 'acteur_type' | 'acteur_id' | 'acteur_nom' | 'commentaire'
>

export function toComment({ acteur_type, acteur_id, acteur_nom, commentaire, ...row }: CommentRow): Comment {
  return { ...row, acteur: { type: acteur_type, id: acteur_id, nom: acteur_nom }, texte: commentaire ?? '' }
}

export function fromHistoryEntry({ acteur, ...entry }: ChainedHistoryEntry) {
  const { type: acteur_type, id: acteur_id, nom: acteur_nom } = acteur
  return tables.case_history.written({ ...entry, acteur_type, acteur_id, acteur_nom })
}
