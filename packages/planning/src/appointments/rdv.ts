import type { Actor, Lieu } from '@sav/core'
import { type RdvStatut, toMs } from '@sav/core/feature'
import type { RdvView } from './inputs.js'

/** The states that may follow each state, whatever the time. A state without successors is final. */
export const transitions: { readonly [from in RdvStatut]: readonly RdvStatut[] } = {
  propose: ['planifie', 'confirme', 'annule'],
  planifie: ['confirme', 'en_cours', 'realise', 'annule', 'absent'],
  confirme: ['confirme', 'en_cours', 'realise', 'annule', 'absent', 'planifie'],
  en_cours: ['realise', 'absent', 'annule'],
  realise: [],
  annule: [],
  absent: [],
}

/** Whether a state is final. */
export const isEnd = (statut: RdvStatut) => transitions[statut].length === 0

/** How long a proposal holds its time. */
export const holdMs = 15 * 60_000

/** The time from `debut` until before `fin`. */
export type Interval = Pick<RdvView, 'debut' | 'fin'>

/** Whether two times overlap. */
export const overlaps = (a: Interval, b: Interval) => a.debut < b.fin && b.debut < a.fin

/** The reported result of a visit. */
export type Bilan = Pick<RdvView, 'resultat' | 'compte_rendu' | 'pieces'>

/** What the last letter about an appointment said, whether it has arrived or not. */
export interface ToldRdv {
  /** The event of the letter. */
  readonly event_id: string
  /** The time in the letter, from `toldTime`. */
  readonly debut: string
  readonly fin: string | null
  readonly confirme: boolean
}

/** A change of an appointment's time or people. */
export interface RdvMove {
  /** The appointment's version after this move. */
  readonly version: number
  readonly date: string
  /** The ids of the previous people. */
  readonly personnes: readonly number[]
  /** The previous beginning. Missing in older records. */
  readonly debut?: string
}

/** How long moves are kept. Installers may report on a visit for a shorter time. */
const movesKeptMs = 60 * 86_400_000
const movesKept = 20

/** The moves of an appointment, including one that changed it to `rdv`. */
export const movedFrom = (
  before: Rdv,
  { version, date_modification: date }: Pick<Rdv, 'version' | 'date_modification'>,
): Rdv['deplacements'] => {
  const move = { version, date, personnes: personsOf(before), debut: before.debut }
  const kept = before.deplacements.filter((earlier) => toMs(earlier.date) > toMs(date) - movesKeptMs)
  return [...kept, move].slice(-movesKept)
}

/**
 * The fields of an appointment, without those derived from other fields. `lieu` is the place of the appointment itself;
 * null: the client's place applies.
 */
interface RdvFields
  extends Omit<
    RdvView,
    'statut' | 'duree_minutes' | 'expire_a' | 'motif_annulation' | 'resultat' | 'compte_rendu' | 'pieces'
  > {
  readonly account_id: string
  readonly lieu_client: Lieu | null
  /** The client's telephone. */
  readonly telephone_client: string | null
  /** When the letter about changes is due; null: none is waiting. */
  readonly lettre_due: string | null
  /** The moves of the appointment in the last weeks, newest last. */
  readonly deplacements: readonly RdvMove[]
  readonly derniere_lettre: ToldRdv | null
  readonly date_creation: string
  readonly date_modification: string
}

/** A reported absence of the customer, so that it can be taken back. */
export interface CustomerAbsence {
  /** When the absence was reported. */
  readonly date: string
  /** The actor that reported the absence. */
  readonly par: Pick<Actor, 'type' | 'id'>
  /** The appointment's previous status. */
  readonly statut: 'planifie' | 'confirme' | 'en_cours'
}

/** The fields that only some states have, as they are in all other states. */
interface NoneOfThem {
  readonly expire_a: null
  readonly motif_annulation: null
  readonly bilan: null
  readonly absence: null
}

/** A hold: it holds its time until `expire_a`, and counts as cancelled from then on. */
interface Hold extends Omit<NoneOfThem, 'expire_a'> {
  readonly statut: 'propose'
  readonly expire_a: string
}

interface StandingState extends NoneOfThem {
  readonly statut: 'planifie' | 'confirme' | 'en_cours'
}

interface MissedState extends Omit<NoneOfThem, 'absence'> {
  readonly statut: 'absent'
  /** Null if the appointment was not standing before: it then cannot return to its earlier status. */
  readonly absence: CustomerAbsence | null
}

interface CancelledState extends Omit<NoneOfThem, 'motif_annulation'> {
  readonly statut: 'annule'
  readonly motif_annulation: string
}

interface CompletedState extends Omit<NoneOfThem, 'bilan'> {
  readonly statut: 'realise'
  readonly bilan: Bilan
}

/** A status with the fields that belong to it. An appointment cancelled without a reason does not type-check. */
export type RdvState = Hold | StandingState | MissedState | CancelledState | CompletedState

/** An appointment as stored, `[debut, fin)`. `occupies` says whether it occupies the time of its people. */
export type Rdv = RdvFields & RdvState

/** An appointment to be added; the store assigns its id. */
export type NewRdv = Omit<RdvFields, 'id'> & RdvState

const none: NoneOfThem = { expire_a: null, motif_annulation: null, bilan: null, absence: null }

/** A proposal. @param expire_a when its time becomes free */
export const held = (expire_a: string): Hold => ({ ...none, statut: 'propose', expire_a })
/** A status without fields of its own. */
export const standing = (statut: StandingState['statut']): StandingState => ({ ...none, statut })
/** Final: the customer was not there. */
export const missed = (absence: CustomerAbsence | null): MissedState => ({ ...none, statut: 'absent', absence })
/** Final, with a reason in plain words. */
export const cancelled = (motif_annulation: string): CancelledState => ({ ...none, statut: 'annule', motif_annulation })
/** Final: the visit took place, with this result. */
export const completed = (bilan: Bilan): CompletedState => ({ ...none, statut: 'realise', bilan })

/** The poseur and the teammates. */
export const personsOf = ({ poseur, equipiers }: Pick<Rdv, 'poseur' | 'equipiers'>): number[] => [
  poseur.id,
  ...equipiers.map(({ id }) => id),
]

/**
 * Whether the appointment occupies the time of its people. Only the status counts, not the clock: a visit that ended
 * early occupies no time.
 */
export const occupies = ({ statut }: Pick<Rdv, 'statut'>) => !isEnd(statut)

/** Whether the appointment is an expired hold, which conflicts with nothing. */
export const isExpired = ({ statut, expire_a }: Pick<Rdv, 'statut' | 'expire_a'>, now: string) =>
  statut === 'propose' && expire_a !== null && expire_a <= now

/** How long a customer's absence can be taken back. */
const missedMs = 10 * 60_000

/** The status that a missed appointment may return to; null: none, or too late. */
export const takenBack = ({ absence }: Pick<Rdv, 'absence'>, now: string): CustomerAbsence['statut'] | null =>
  absence !== null && toMs(now) - toMs(absence.date) <= missedMs ? absence.statut : null

/** Whether the visit is planned or under way. */
export const isStanding = (rdv: Rdv): rdv is Rdv & StandingState =>
  rdv.statut === 'planifie' || rdv.statut === 'confirme' || rdv.statut === 'en_cours'

/** Whether the visit is planned, under way or done. */
export const takesPlace = (rdv: Rdv): boolean => isStanding(rdv) || rdv.statut === 'realise'

/** The duration in whole minutes, rounded up. */
export const durationMinutes = ({ debut, fin }: Interval) => Math.ceil((toMs(fin) - toMs(debut)) / 60_000)

/** The appointment's own place, or else its client's. */
export const placeOf = ({ lieu, lieu_client }: Pick<Rdv, 'lieu' | 'lieu_client'>): Lieu | null => lieu ?? lieu_client

/** The appointment as the API shows it. */
export function rdvView(rdv: Rdv): RdvView {
  const { account_id, lieu_client, telephone_client, lettre_due, deplacements, derniere_lettre, ...shown } = rdv
  const { date_creation, date_modification, bilan, absence, ...view } = shown
  const { resultat, compte_rendu, pieces } = bilan ?? { resultat: null, compte_rendu: null, pieces: [] }
  return { ...view, duree_minutes: durationMinutes(rdv), lieu: placeOf(rdv), resultat, compte_rendu, pieces }
}
