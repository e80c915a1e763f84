import type { Lieu } from '../directory/lieu.js'
import {
  durationMinutes,
  type Interval,
  type Piece,
  placeOf,
  type Rdv,
  type RdvResultat,
  type RdvStatut,
  type RdvType,
} from './rdv.js'

/** An appointment as it is shown; names and order of the fields are those of the wire. */
export interface RdvView extends Interval {
  readonly id: number
  readonly type: RdvType
  readonly statut: RdvStatut
  readonly sav: Rdv['sav']
  readonly client: Rdv['client']
  readonly poseur: Rdv['poseur']
  readonly equipiers: Rdv['equipiers']
  readonly fuseau: string
  readonly duree_minutes: number
  readonly fenetre_client: Interval | null
  /** The appointment's own, else that of the client. */
  readonly lieu: Lieu | null
  readonly trajet_avant_minutes: number | null
  readonly tournee: Rdv['tournee']
  /** Until when a proposal keeps its time. */
  readonly expire_a: string | null
  readonly motif_annulation: string | null
  readonly intervention_id: number | null
  readonly resultat: RdvResultat | null
  readonly compte_rendu: string | null
  readonly pieces: readonly Piece[]
  readonly retard_minutes: number | null
  readonly notes: string | null
  readonly version: number
}

/** What a write answers: also what a person should know before leaving it so; it was done all the same. */
export interface AdvisedRdvView extends RdvView {
  readonly avertissements: readonly string[]
}

export function rdvView(rdv: Rdv): RdvView {
  return {
    id: rdv.id,
    type: rdv.type,
    statut: rdv.statut,
    sav: rdv.sav,
    client: rdv.client,
    poseur: rdv.poseur,
    equipiers: rdv.equipiers,
    debut: rdv.debut,
    fin: rdv.fin,
    fuseau: rdv.fuseau,
    duree_minutes: durationMinutes(rdv),
    fenetre_client: rdv.fenetre_client,
    lieu: placeOf(rdv),
    trajet_avant_minutes: rdv.trajet_avant_minutes,
    tournee: rdv.tournee,
    expire_a: rdv.expire_a,
    motif_annulation: rdv.motif_annulation,
    intervention_id: rdv.intervention_id,
    resultat: rdv.bilan?.resultat ?? null,
    compte_rendu: rdv.bilan?.compte_rendu ?? null,
    pieces: rdv.bilan?.pieces ?? [],
    retard_minutes: rdv.retard_minutes,
    notes: rdv.notes,
    version: rdv.version,
  }
}
