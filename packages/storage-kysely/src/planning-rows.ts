import {
  type Agenda,
  type Bilan,
  cancelled,
  completed,
  formatReference,
  held,
  type Intervention,
  type NewRdv,
  occupies,
  type Rdv,
  type RdvState,
  standing,
  type ToldRdv,
} from '@sav/core/ports'
import type { Selectable } from 'kysely'
import type { AgendaTable, InterventionTable, RdvPersonTable, RdvTable } from './planning-schema.js'
import { fromLieu, parsed, toLieu } from './rows.js'

/** Rows of the planning, as rows.ts has the others. */

export type RdvRow = Selectable<RdvTable> & {
  readonly client_nom: string
  readonly client_prenom: string
  readonly client_lieu: string | null
  readonly client_telephone: string | null
  readonly poseur_nom: string
  /** Of the reference; null where there is no case. */
  readonly annee: number | null
  readonly numero: number | null
}

export interface TeamRow {
  readonly rdv_id: number
  readonly id: number
  readonly nom: string
}

export function toRdv(row: RdvRow, equipiers: Rdv['equipiers']): Rdv {
  return {
    account_id: row.account_id,
    id: row.id,
    type: row.type,
    sav: toSav(row),
    client: { id: row.client_id, nom: row.client_nom, prenom: row.client_prenom },
    poseur: { id: row.poseur_id, nom: row.poseur_nom },
    equipiers,
    debut: row.debut,
    fin: row.fin,
    fuseau: row.fuseau,
    fenetre_client: toWindow(row),
    lieu: toLieu(row.lieu),
    lieu_client: toLieu(row.client_lieu),
    telephone_client: row.client_telephone,
    trajet_avant_minutes: row.trajet_avant_minutes,
    tournee: toTournee(row),
    intervention_id: row.intervention_id,
    retard_minutes: row.retard_minutes,
    notes: row.notes,
    lettre_due: row.lettre_due,
    derniere_lettre: row.derniere_lettre === null ? null : parsed<ToldRdv>(row.derniere_lettre),
    date_creation: row.date_creation,
    date_modification: row.date_modification,
    version: row.version,
    ...toState(row),
  }
}

function toSav({ sav_id, annee, numero }: RdvRow): Rdv['sav'] {
  if (sav_id === null || annee === null || numero === null) return null
  return { id: sav_id, reference: formatReference({ annee, numero }) }
}

function toWindow({ fenetre_debut: debut, fenetre_fin: fin }: RdvRow): Rdv['fenetre_client'] {
  return debut === null || fin === null ? null : { debut, fin }
}

function toTournee({ tournee_date: date, tournee_ordre: ordre }: RdvRow): Rdv['tournee'] {
  return date === null || ordre === null ? null : { date, ordre }
}

function toState({ statut, expire_a, motif_annulation, bilan }: RdvRow): RdvState {
  switch (statut) {
    case 'propose':
      return held(expire_a ?? '')
    case 'annule':
      return cancelled(motif_annulation ?? '')
    case 'realise':
      return completed(parsed<Bilan>(bilan ?? '{"resultat":null,"compte_rendu":null,"pieces":[]}'))
    default:
      return standing(statut)
  }
}

/** Everything that an update replaces. */
export function fromRdv(rdv: NewRdv): Omit<Selectable<RdvTable>, 'account_id' | 'id' | 'sav_id' | 'client_id'> {
  const { type, statut, debut, fin, fuseau, trajet_avant_minutes, intervention_id, retard_minutes, notes } = rdv
  const { expire_a, motif_annulation, bilan, date_creation, date_modification, version } = rdv
  return {
    type,
    statut,
    poseur_id: rdv.poseur.id,
    debut,
    fin,
    fuseau,
    fenetre_debut: rdv.fenetre_client?.debut ?? null,
    fenetre_fin: rdv.fenetre_client?.fin ?? null,
    lieu: fromLieu(rdv.lieu),
    trajet_avant_minutes,
    tournee_date: rdv.tournee?.date ?? null,
    tournee_ordre: rdv.tournee?.ordre ?? null,
    intervention_id,
    retard_minutes,
    notes,
    lettre_due: rdv.lettre_due,
    derniere_lettre: rdv.derniere_lettre && JSON.stringify(rdv.derniere_lettre),
    expire_a,
    motif_annulation,
    bilan: bilan && JSON.stringify(bilan),
    date_creation,
    date_modification,
    version,
  }
}

/** A row for everybody who goes. */
export function personsOfRdv(rdv: Rdv): RdvPersonTable[] {
  const { account_id, id: rdv_id, debut } = rdv
  const taken = occupies(rdv)
  const [debut_ms, fin_ms] = taken ? [Date.parse(debut), Date.parse(rdv.fin)] : [null, null]
  return [rdv.poseur, ...rdv.equipiers].map(({ id: poseur_id }, ordre) => {
    return { account_id, rdv_id, poseur_id, ordre, debut, debut_ms, fin_ms }
  })
}

export function toIntervention(row: Selectable<InterventionTable> & { readonly poseur_nom: string }): Intervention {
  const { id, rdv_id, type, date_debut, date_fin, resultat, compte_rendu } = row
  const poseur = { id: row.poseur_id, nom: row.poseur_nom }
  return { id, rdv_id, poseur, type, date_debut, date_fin, resultat, compte_rendu, pieces: parsed(row.pieces) }
}

export function toAgenda({ horaires, absences, competences }: Omit<AgendaTable, 'account_id' | 'poseur_id'>): Agenda {
  return {
    horaires: horaires === null ? null : parsed(horaires),
    absences: parsed(absences),
    competences: parsed(competences),
  }
}

export function fromAgenda({ horaires, absences, competences }: Agenda): Omit<AgendaTable, 'account_id' | 'poseur_id'> {
  return {
    horaires: horaires && JSON.stringify(horaires),
    absences: JSON.stringify(absences),
    competences: JSON.stringify(competences),
  }
}
