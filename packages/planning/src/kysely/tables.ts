import type { Lieu } from '@sav/core'
import { schema } from '@sav/storage-kysely/feature'
import type { RdvView } from '../appointments/inputs.js'
import type { Agenda } from '../appointments/planning-store.js'
import type { CustomerAbsence, Rdv, RdvMove, ToldRdv } from '../appointments/rdv.js'
import type { CalendarWrites } from '../calendars/calendar-store.js'
import type { FollowUpRecord } from '../follow-ups/follow-up.js'

const noEvidence = {
  none: 'appointments are not evidence; the completed work is, and is stored in `interventions`',
} as const

/** Appointments, working time, calendars, customers' pages and follow-ups. */
export const tables = {
  rdv: schema.table(
    {
      account_id: schema.text(),
      id: schema.numbered(),
      type: schema.text<Rdv['type']>(),
      statut: schema.text<Rdv['statut']>(),
      sav_id: schema.whole().orNull(),
      client_id: schema.whole(),
      poseur_id: schema.whole(),
      debut: schema.text(),
      fin: schema.text(),
      fuseau: schema.text(),
      fenetre_debut: schema.text().orNull(),
      fenetre_fin: schema.text().orNull(),
      lieu: schema.json<Lieu>().orNull().personal(),
      trajet_avant_minutes: schema.whole().orNull(),
      tournee_date: schema.text().orNull(),
      tournee_ordre: schema.whole().orNull(),
      intervention_id: schema.whole().orNull(),
      retard_minutes: schema.whole().orNull(),
      notes: schema.text().orNull().personal(),
      deplacements: schema.json<readonly RdvMove[]>(),
      lettre_due: schema.text().orNull(),
      derniere_lettre: schema.json<ToldRdv>().orNull(),
      /** Null unless `statut` is `propose`. */
      expire_a: schema.text().orNull(),
      /** Null unless `statut` is `annule`. */
      motif_annulation: schema.text().orNull().personal(),
      /** Null unless `statut` is `realise`. */
      bilan: schema.json<Pick<RdvView, 'resultat' | 'compte_rendu' | 'pieces'>>().orNull().personal(),
      /** Null unless `statut` is `absent`, and in older rows. */
      absence: schema.json<CustomerAbsence>().orNull(),
      date_creation: schema.text(),
      date_modification: schema.text(),
      version: schema.whole(),
    },
    { key: ['id'], evidence: noEvidence },
  ),
  /** The people who go to an appointment. No two appointments of one person may overlap. */
  rdv_personnes: schema.table(
    {
      account_id: schema.text(),
      rdv_id: schema.whole(),
      poseur_id: schema.whole(),
      /** The order of the people. 0 is the poseur; teammates have higher numbers. */
      ordre: schema.whole(),
      /** The beginning of the appointment. */
      debut: schema.text(),
      /** Milliseconds since the Unix epoch; null, like `fin_ms`, if no time is occupied any more. */
      debut_ms: schema.whole().orNull(),
      fin_ms: schema.whole().orNull(),
    },
    { key: ['account_id', 'rdv_id', 'poseur_id'], evidence: noEvidence },
  ),
  agendas: schema.table(
    {
      account_id: schema.text(),
      poseur_id: schema.whole(),
      horaires: schema.json<NonNullable<Agenda['horaires']>>().orNull(),
      absences: schema.json<Agenda['absences']>(),
      absences_depuis: schema.text().orNull(),
      competences: schema.json<Agenda['competences']>(),
    },
    { key: ['account_id', 'poseur_id'], evidence: noEvidence },
  ),
  /** Events of appointments that need the shop's attention, and marks for other follow-ups that are done. */
  a_traiter: schema.table(
    {
      account_id: schema.text(),
      id: schema.text(),
      type: schema.text<FollowUpRecord['type']>(),
      rdv_id: schema.whole().orNull(),
      sav_id: schema.whole().orNull(),
      client_id: schema.whole().orNull(),
      depuis: schema.text(),
      debut: schema.text().orNull(),
      texte: schema.text().orNull().personal(),
      fait_le: schema.text().orNull(),
      fait_par: schema.json<NonNullable<FollowUpRecord['fait']>['par']>().orNull(),
    },
    {
      key: ['account_id', 'id'],
      evidence: { none: 'follow-ups are tasks of the shop; customers’ own actions are in the history' },
    },
  ),
  rdv_pages: schema.table(
    { hash: schema.text(), account_id: schema.text(), rdv_id: schema.whole() },
    { key: ['hash'], evidence: noEvidence },
  ),
  calendriers: schema.table(
    {
      account_id: schema.text(),
      /** The id of a poseur; 0: the whole account. */
      cible: schema.whole(),
      proprietaire_type: schema.text<Parameters<CalendarWrites['put']>[0]['proprietaire']['type']>(),
      /** The id of a key or a user; empty: the account. */
      proprietaire_id: schema.text(),
      hash: schema.text(),
      date_creation: schema.text(),
    },
    { key: ['account_id', 'cible', 'proprietaire_id'], evidence: noEvidence },
  ),
}
