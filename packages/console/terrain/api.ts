/** What the service tells a phone, and takes from it. Names and shapes are those of the wire. */

export type Statut = 'propose' | 'planifie' | 'confirme' | 'en_cours' | 'realise' | 'annule' | 'absent'
export const resultats = ['resolu', 'partiel', 'a_reprogrammer', 'impossible'] as const
export type Resultat = (typeof resultats)[number]
export const moments = ['avant', 'apres', 'autre'] as const
export type Moment = (typeof moments)[number]

export interface Lieu {
  readonly ligne1: string | null
  readonly code_postal: string | null
  readonly ville: string | null
  readonly lat: number | null
  readonly lon: number | null
  readonly acces: string | null
}

interface Person {
  readonly id: number
  readonly nom: string
}

export interface Piece {
  readonly designation: string
  readonly quantite: number
  readonly reference?: string | null
}

export interface Rdv {
  readonly id: number
  readonly type: 'sav' | 'pose' | 'metre' | 'livraison' | 'controle' | 'autre'
  readonly statut: Statut
  readonly sav: { readonly id: number; readonly reference: string } | null
  readonly client: {
    readonly id: number
    readonly nom: string
    readonly prenom: string
    readonly telephone?: string | null
    readonly adresse?: string | null
  }
  readonly poseur: Person
  readonly equipiers: readonly Person[]
  readonly debut: string
  readonly fin: string
  readonly fuseau: string
  readonly duree_minutes: number
  readonly fenetre_client: { readonly debut: string; readonly fin: string } | null
  readonly lieu: Lieu | null
  readonly trajet_avant_minutes: number | null
  readonly motif_annulation: string | null
  readonly resultat: Resultat | null
  readonly compte_rendu: string | null
  readonly pieces: readonly Piece[]
  readonly retard_minutes: number | null
  readonly notes: string | null
  readonly version: number
}

export interface Dossier {
  readonly id: number
  readonly reference: string
  readonly statut: 'ouvert' | 'en_cours' | 'clos'
  readonly description: string
  readonly type_probleme: string
  readonly priorite: 'basse' | 'normale' | 'haute' | 'urgente'
  /** `url` ends with the file's SHA-256; with `?vignette=1` it gives a small one. */
  readonly photos: readonly { readonly url: string }[]
  readonly commentaires?: readonly {
    readonly id: number
    readonly date: string
    readonly acteur: { readonly nom: string | null }
    readonly texte: string
  }[]
  readonly interventions: readonly {
    readonly rdv_id: number
    readonly date_debut: string
    readonly poseur: { readonly nom: string }
    readonly resultat: Resultat | null
    readonly compte_rendu: string | null
  }[]
  readonly reserves: readonly string[]
}

/** `GET /api/v1/terrain` */
export interface Terrain {
  readonly poseur: Person
  readonly du: string
  readonly au: string
  readonly rdv: readonly Rdv[]
  readonly dossiers: readonly Dossier[]
  readonly textes_terrain: readonly string[]
}

export interface Slot {
  readonly debut: string
  readonly fin: string
  readonly poseur: Person
  readonly jeton: string
}

/** What the office did meanwhile, or has to do now. */
export const constatCodes = [
  'rdv_deplace',
  'rdv_donne',
  'rdv_annule',
  'rdv_termine',
  'dossier_clos',
  'description_changee',
  'creneau_pris',
  'souhait',
] as const
export type ConstatCode = (typeof constatCodes)[number]

export interface Constat {
  readonly codes: readonly ConstatCode[]
  readonly rdv: {
    readonly id: number
    readonly statut: Statut
    readonly debut: string
    readonly fin: string
    readonly poseur: Person
  } | null
  readonly description: { readonly signee: string; readonly actuelle: string } | null
  readonly alternatives: readonly Slot[]
  readonly souhait: string | null
}

/** What a write from the field answers. */
export type AnsweredRdv = Rdv & { readonly constat: Constat | null }

export interface InterventionBody {
  readonly resultat: Resultat
  readonly compte_rendu?: string
  readonly pieces?: readonly Piece[]
  readonly photos: readonly { readonly sha256: string; readonly moment: Moment }[]
  readonly prochain?: { readonly jeton: string } | { readonly souhait: string }
  readonly cloture?: {
    readonly resolution: string
    readonly signataire_nom?: string
    readonly signature?: string
    readonly reserves?: readonly string[]
    readonly vu?: string
  }
}

/** `GET /api/v1/session` of somebody who is signed in. */
export interface SessionView {
  readonly utilisateur: { readonly id: string; readonly nom: string; readonly poseur_id?: number | null } | null
  readonly compte: { readonly id: string; readonly raison_sociale: string | null; readonly fuseau: string }
  readonly permissions: readonly string[]
}

/** By the code, or this header, of a 401 the office has a phone wiped. */
export const deviceEndedCode = 'device_ended'
export const deviceEndedHeader = { name: 'X-Sav-Device', value: 'ended' } as const

/** `PUT /api/v1/terrain/appareil`: what a phone says of itself at each contact. */
export interface DeviceBody {
  readonly nom: string
  /** How many writes it has not sent yet. */
  readonly en_attente: number
}

/** What the live stream tells that concerns visits and their cases. */
export const liveKinds = [
  'sav.created',
  'sav.updated',
  'sav.status_changed',
  'sav.assigned',
  'sav.closed',
  'sav.reopened',
  'rdv.created',
  'rdv.rescheduled',
  'rdv.confirmed',
  'rdv.cancelled',
  'rdv.completed',
  'reset',
] as const
