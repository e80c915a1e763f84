import type { Lieu, RdvView } from '@sav/core'
import type { CustomerAbsence, FollowUpRecord, ToldRdv } from '@sav/core/internal'
import type { Agenda, CalendarWrites, Rdv, RdvMove } from '@sav/core/ports'
import { json, numbered, table, text, whole } from './table.js'

const noEvidence = {
  none: 'who goes where is no evidence; what was done there is, in `interventions`',
} as const

/** Appointments, their persons and their interventions. */
export const planningTables = {
  rdv: table(
    {
      account_id: text(),
      id: numbered(),
      type: text<Rdv['type']>(),
      statut: text<Rdv['statut']>(),
      sav_id: whole().orNull(),
      client_id: whole(),
      poseur_id: whole(),
      debut: text(),
      fin: text(),
      fuseau: text(),
      fenetre_debut: text().orNull(),
      fenetre_fin: text().orNull(),
      lieu: json<Lieu>().orNull().personal(),
      trajet_avant_minutes: whole().orNull(),
      tournee_date: text().orNull(),
      tournee_ordre: whole().orNull(),
      intervention_id: whole().orNull(),
      retard_minutes: whole().orNull(),
      notes: text().orNull().personal(),
      deplacements: json<readonly RdvMove[]>(),
      lettre_due: text().orNull(),
      derniere_lettre: json<ToldRdv>().orNull(),
      /** Only of `propose`. */
      expire_a: text().orNull(),
      /** Only of `annule`. */
      motif_annulation: text().orNull().personal(),
      /** Only of `realise`. */
      bilan: json<Pick<RdvView, 'resultat' | 'compte_rendu' | 'pieces'>>().orNull().personal(),
      /** Only of `absent`; null for those from before it was recorded. */
      absence: json<CustomerAbsence>().orNull(),
      date_creation: text(),
      date_modification: text(),
      version: whole(),
    },
    { key: ['id'], evidence: noEvidence },
  ),
  /** The persons who go to an appointment. No two of one person overlap. */
  rdv_personnes: table(
    {
      account_id: text(),
      rdv_id: whole(),
      poseur_id: whole(),
      /** 0: the poseur. */
      ordre: whole(),
      /** The beginning of the appointment. */
      debut: text(),
      /** Milliseconds since the Unix epoch; null, like `fin_ms`: it takes no person's time any more. */
      debut_ms: whole().orNull(),
      fin_ms: whole().orNull(),
    },
    { key: ['account_id', 'rdv_id', 'poseur_id'], evidence: noEvidence },
  ),
  interventions: table(
    {
      account_id: text(),
      id: numbered(),
      case_id: whole(),
      rdv_id: whole(),
      poseur_id: whole(),
      type: text(),
      date_debut: text(),
      date_fin: text(),
      resultat: text().orNull(),
      compte_rendu: text().orNull().personal(),
      pieces: json<readonly RdvView['pieces'][number][]>().personal(),
      survenu_a: text().orNull(),
    },
    { key: ['id'], evidence: { by: 'its line in the chain of the case, and the snapshot of the next close' } },
  ),
  agendas: table(
    {
      account_id: text(),
      poseur_id: whole(),
      horaires: json<NonNullable<Agenda['horaires']>>().orNull(),
      absences: json<Agenda['absences']>(),
      absences_depuis: text().orNull(),
      competences: json<Agenda['competences']>(),
    },
    { key: ['account_id', 'poseur_id'], evidence: noEvidence },
  ),
  /** Events of appointments that somebody of the shop must look at, and which follow-ups of other kinds were done. */
  a_traiter: table(
    {
      account_id: text(),
      id: text(),
      type: text<FollowUpRecord['type']>(),
      rdv_id: whole().orNull(),
      sav_id: whole().orNull(),
      client_id: whole().orNull(),
      depuis: text(),
      debut: text().orNull(),
      texte: text().orNull().personal(),
      fait_le: text().orNull(),
      fait_par: json<NonNullable<FollowUpRecord['fait']>['par']>().orNull(),
    },
    {
      key: ['account_id', 'id'],
      evidence: { none: 'it is the work of the shop; what customers did is in the history' },
    },
  ),
  rdv_pages: table({ hash: text(), account_id: text(), rdv_id: whole() }, { key: ['hash'], evidence: noEvidence }),
  calendriers: table(
    {
      account_id: text(),
      /** The id of a poseur; 0: the whole account. */
      cible: whole(),
      proprietaire_type: text<Parameters<CalendarWrites['put']>[0]['proprietaire']['type']>(),
      /** The id of a key or a person; empty: the account. */
      proprietaire_id: text(),
      hash: text(),
      date_creation: text(),
    },
    { key: ['account_id', 'cible', 'proprietaire_id'], evidence: noEvidence },
  ),
}
