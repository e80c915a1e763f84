import type { CalendarOwner, Rdv } from '@sav/core/ports'
import type { Generated } from 'kysely'

/** Tables of the planning, as schema.ts has the others. */

export interface RdvTable {
  account_id: string
  id: Generated<number>
  type: Rdv['type']
  statut: Rdv['statut']
  sav_id: number | null
  client_id: number
  poseur_id: number
  debut: string
  fin: string
  fuseau: string
  fenetre_debut: string | null
  fenetre_fin: string | null
  lieu: string | null
  trajet_avant_minutes: number | null
  tournee_date: string | null
  tournee_ordre: number | null
  intervention_id: number | null
  retard_minutes: number | null
  notes: string | null
  lettre_due: string | null
  /** JSON object. */
  derniere_lettre: string | null
  /** Of `propose` alone. */
  expire_a: string | null
  /** Of `annule` alone. */
  motif_annulation: string | null
  /** JSON object, of `realise` alone. */
  bilan: string | null
  date_creation: string
  date_modification: string
  version: number
}

/** Everybody who goes to an appointment; no two of one person overlap. */
export interface RdvPersonTable {
  account_id: string
  rdv_id: number
  poseur_id: number
  /** 0: the poseur. */
  ordre: number
  /** That of the appointment. */
  debut: string
  /** Milliseconds since the Unix epoch; null, as `fin_ms`: nobody's time is taken any more. */
  debut_ms: number | null
  fin_ms: number | null
}

export interface InterventionTable {
  account_id: string
  id: Generated<number>
  case_id: number
  rdv_id: number
  poseur_id: number
  type: string
  date_debut: string
  date_fin: string
  resultat: string | null
  compte_rendu: string | null
  /** JSON array. */
  pieces: string
}

export interface AgendaTable {
  account_id: string
  poseur_id: number
  /** JSON object; null: none recorded. */
  horaires: string | null
  /** JSON arrays. */
  absences: string
  competences: string
}

export interface CalendarTable {
  account_id: string
  /** The id of a poseur; 0: the whole account. */
  cible: number
  proprietaire_type: CalendarOwner['type']
  /** The id of a key or a person; empty: the account. */
  proprietaire_id: string
  hash: string
  date_creation: string
}

export interface RdvPageTable {
  hash: string
  account_id: string
  rdv_id: number
}
