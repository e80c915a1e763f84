import type { Lieu } from '../directory/lieu.js'
import { toMs } from '../time.js'

/** An appointment (`rdv`): somebody of the shop, at a customer's, from an instant until another. */

/** What somebody comes for: after-sales service, fitting, measuring, delivery, inspection, or something else. */
export const rdvTypes = ['sav', 'pose', 'metre', 'livraison', 'controle', 'autre'] as const
/** What somebody comes for. */
export type RdvType = (typeof rdvTypes)[number]

/**
 * How far an appointment has come. `propose` holds its time for 15 minutes; `realise`, `annule` and `absent` (the customer
 * was not there) are ends, and take nobody's time any more.
 */
export const rdvStatuts = ['propose', 'planifie', 'confirme', 'en_cours', 'realise', 'annule', 'absent'] as const
/** How far an appointment has come: see `rdvStatuts`. */
export type RdvStatut = (typeof rdvStatuts)[number]

/** How an appointment that took place ended. */
export const rdvResultats = ['resolu', 'partiel', 'a_reprogrammer', 'impossible'] as const
/** How an appointment that took place ended: only `realise` has one. */
export type RdvResultat = (typeof rdvResultats)[number]

/** What may follow what, and nothing else: what leads nowhere is an end. No clock guards it. */
export const transitions: { readonly [from in RdvStatut]: readonly RdvStatut[] } = {
  propose: ['planifie', 'confirme', 'annule'],
  planifie: ['confirme', 'en_cours', 'realise', 'annule', 'absent'],
  confirme: ['confirme', 'en_cours', 'realise', 'annule', 'absent', 'planifie'],
  en_cours: ['realise', 'absent', 'annule'],
  realise: [],
  annule: [],
  absent: [],
}

export const isEnd = (statut: RdvStatut) => transitions[statut].length === 0

/** The longest appointment, in minutes: a search for what overlaps looks no further back. */
export const maxRdvMinutes = 720

/** How long a proposal keeps its time. */
export const holdMs = 15 * 60_000

/** From an instant until another, which is no longer part of it. */
export interface Interval {
  readonly debut: string
  readonly fin: string
}

export const overlaps = (a: Interval, b: Interval) => a.debut < b.fin && b.debut < a.fin

/** A part that was used. */
export interface Piece {
  readonly designation: string
  readonly quantite: number
  readonly reference: string | null
}

/** What was done, told when it was. */
export interface Bilan {
  readonly resultat: RdvResultat | null
  readonly compte_rendu: string | null
  readonly pieces: readonly Piece[]
}

interface Person {
  readonly id: number
  readonly nom: string
}

/** What the last letter told of an appointment, whether it has arrived or not. */
export interface ToldRdv {
  /** Its event. */
  readonly event_id: string
  /** As `toldTime` has it. */
  readonly debut: string
  readonly fin: string | null
  readonly confirme: boolean
}

interface RdvFields extends Interval {
  readonly account_id: string
  readonly id: number
  readonly type: RdvType
  readonly sav: { readonly id: number; readonly reference: string } | null
  readonly client: Person & { readonly prenom: string }
  /** Who answers for it. */
  readonly poseur: Person
  /** Who comes along, in the order of their ids. */
  readonly equipiers: readonly Person[]
  /** IANA name of the zone whose wall clock it was agreed by. */
  readonly fuseau: string
  /** When the customer was told that somebody comes. */
  readonly fenetre_client: Interval | null
  /** Of this appointment; null: where the client lives, which is `lieu_client`. */
  readonly lieu: Lieu | null
  readonly lieu_client: Lieu | null
  /** The client's. */
  readonly telephone_client: string | null
  /** Travel from the one before, where a round told it. */
  readonly trajet_avant_minutes: number | null
  /** The round that it is part of: a local date, and its place, from 1. */
  readonly tournee: { readonly date: string; readonly ordre: number } | null
  /** What it left in the history of its case. */
  readonly intervention_id: number | null
  /** By how much the poseur said that he is late. */
  readonly retard_minutes: number | null
  readonly notes: string | null
  /** When the letter is due that tells the customer of changes; null: none waits. */
  readonly lettre_due: string | null
  readonly derniere_lettre: ToldRdv | null
  readonly date_creation: string
  readonly date_modification: string
  /** Starts at 1 and grows by one with every change. */
  readonly version: number
}

/** What only some states have. */
interface NoneOfThem {
  readonly expire_a: null
  readonly motif_annulation: null
  readonly bilan: null
}

/** A hold: it keeps its time until `expire_a`, and is as good as cancelled from then on. */
interface Held extends Omit<NoneOfThem, 'expire_a'> {
  readonly statut: 'propose'
  readonly expire_a: string
}

interface Standing extends NoneOfThem {
  readonly statut: 'planifie' | 'confirme' | 'en_cours' | 'absent'
}

interface Cancelled extends Omit<NoneOfThem, 'motif_annulation'> {
  readonly statut: 'annule'
  readonly motif_annulation: string
}

interface Completed extends Omit<NoneOfThem, 'bilan'> {
  readonly statut: 'realise'
  readonly bilan: Bilan
}

/** The status, and the fields that only some have: an appointment cancelled without a reason does not type-check. */
export type RdvState = Held | Standing | Cancelled | Completed

/** An appointment as stored, `[debut, fin)`; `occupies` tells whether its persons are taken by it. */
export type Rdv = RdvFields & RdvState

/** One about to be added: the store gives it its id. */
export type NewRdv = Omit<RdvFields, 'id'> & RdvState

const none: NoneOfThem = { expire_a: null, motif_annulation: null, bilan: null }

/** A proposal. @param expire_a instant at which it gives its time back */
export const held = (expire_a: string): Held => ({ ...none, statut: 'propose', expire_a })
/** A status that has no fields of its own. */
export const standing = (statut: Standing['statut']): Standing => ({ ...none, statut })
/** An end, for a reason that a person can read. */
export const cancelled = (motif_annulation: string): Cancelled => ({ ...none, statut: 'annule', motif_annulation })
/** An end: the visit took place, and this is what is told of it. */
export const completed = (bilan: Bilan): Completed => ({ ...none, statut: 'realise', bilan })

/** The poseur, and who comes along. */
export const personsOf = ({ poseur, equipiers }: Pick<Rdv, 'poseur' | 'equipiers'>): number[] => [
  poseur.id,
  ...equipiers.map(({ id }) => id),
]

/** Whether its persons are taken by it, whatever the clock says: who ended it early is free again. */
export const occupies = ({ statut }: Pick<Rdv, 'statut'>) => !isEnd(statut)

/** A hold that nobody took in time: it is in nobody's way. */
export const isExpired = ({ statut, expire_a }: Pick<Rdv, 'statut' | 'expire_a'>, now: string) =>
  statut === 'propose' && expire_a !== null && expire_a <= now

/** Whole minutes; a part of one counts as one. */
export const durationMinutes = ({ debut, fin }: Interval) => Math.ceil((toMs(fin) - toMs(debut)) / 60_000)

/** The appointment's own place, else where its client lives. */
export const placeOf = ({ lieu, lieu_client }: Pick<Rdv, 'lieu' | 'lieu_client'>): Lieu | null => lieu ?? lieu_client
