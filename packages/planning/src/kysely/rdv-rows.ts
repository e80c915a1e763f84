import { picked } from '@sav/core/feature'
import { formatReference } from '@sav/core/ports'
import { tables as coreTables, type schema } from '@sav/storage-kysely/feature'
import type { Selectable } from 'kysely'
import { cancelled, completed, held, type NewRdv, occupies, type Rdv, standing } from '../appointments/rdv.js'
import { tables } from './tables.js'

type Schema = schema.KyselyTables<typeof tables>

type StoredRdv = Selectable<Schema['rdv']>

export type RdvRow = StoredRdv & {
  readonly client_nom: string
  readonly client_prenom: string
  readonly client_lieu: string | null
  readonly client_telephone: string | null
  readonly poseur_nom: string
  /** The year of the reference; null if there is no case. */
  readonly annee: number | null
  readonly numero: number | null
}

export interface TeamRow {
  readonly rdv_id: number
  readonly id: number
  readonly nom: string
}

export function toRdv(row: RdvRow, equipiers: Rdv['equipiers']): Rdv {
  const { sav_id, annee, numero, client_id, client_nom, client_prenom, client_lieu, client_telephone, ...rest } = row
  const { poseur_id, poseur_nom, fenetre_debut, fenetre_fin, tournee_date, tournee_ordre, ...stored } = rest
  const { statut, expire_a, motif_annulation, bilan, absence, ...fields } = tables.rdv.read(stored)
  const hasCase = sav_id !== null && annee !== null && numero !== null
  return {
    ...fields,
    sav: hasCase ? { id: sav_id, reference: formatReference({ annee, numero }) } : null,
    client: { id: client_id, nom: client_nom, prenom: client_prenom },
    lieu_client: coreTables.clients.read({ lieu: client_lieu }).lieu,
    telephone_client: client_telephone,
    poseur: { id: poseur_id, nom: poseur_nom },
    equipiers,
    fenetre_client: fenetre_debut === null || fenetre_fin === null ? null : { debut: fenetre_debut, fin: fenetre_fin },
    tournee: tournee_date === null || tournee_ordre === null ? null : { date: tournee_date, ordre: tournee_ordre },
    ...toState({ statut, expire_a, motif_annulation, bilan, absence }),
  }
}

type State = Pick<Rdv, 'statut' | 'expire_a' | 'motif_annulation' | 'bilan' | 'absence'>

function toState({ statut, expire_a, motif_annulation, bilan, absence }: State) {
  switch (statut) {
    case 'propose':
      return held(expire_a ?? '')
    case 'absent':
      return { statut, absence, expire_a: null, motif_annulation: null, bilan: null }
    case 'annule':
      return cancelled(motif_annulation ?? '')
    case 'realise':
      return completed(bilan ?? { resultat: null, compte_rendu: null, pieces: [] })
    default:
      return standing(statut)
  }
}

/** The columns that an update replaces. */
export const replacedOfRdv = tables.rdv.without('account_id', 'id', 'sav_id', 'client_id')

export function fromRdv(rdv: NewRdv): Pick<StoredRdv, (typeof replacedOfRdv)[number]> {
  const composed = {
    ...rdv,
    poseur_id: rdv.poseur.id,
    fenetre_debut: rdv.fenetre_client?.debut ?? null,
    fenetre_fin: rdv.fenetre_client?.fin ?? null,
    tournee_date: rdv.tournee?.date ?? null,
    tournee_ordre: rdv.tournee?.ordre ?? null,
  }
  return tables.rdv.written(picked(composed, replacedOfRdv))
}

/** A row for the poseur and each teammate. */
export function personsOfRdv(rdv: Rdv): Selectable<Schema['rdv_personnes']>[] {
  const { account_id, id: rdv_id, debut } = rdv
  const taken = occupies(rdv)
  const [debut_ms, fin_ms] = taken ? [Date.parse(debut), Date.parse(rdv.fin)] : [null, null]
  return [rdv.poseur, ...rdv.equipiers].map(({ id: poseur_id }, ordre) => {
    return { account_id, rdv_id, poseur_id, ordre, debut, debut_ms, fin_ms }
  })
}
