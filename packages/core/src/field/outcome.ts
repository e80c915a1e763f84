import type { SavCase } from '../cases/case.js'
import { isEnd, type Rdv } from '../planning/appointments/rdv.js'
import type { RdvStatut } from '../values/vocabulary.js'
import type { FieldConstat, FieldKind } from './fact.js'
import { isOwn, type Reach } from './own-visits.js'

/** What the field tells of a visit, as far as what the office did meanwhile may matter. */
export interface Told {
  readonly nature: Exclude<FieldKind, 'ajout'>
  /** Of the appointment, as the phone knew it. */
  readonly version: number | undefined
  /** Whether it tells anything but that the visit took place. */
  readonly hasContent: boolean
  /** Whether it closes the case. */
  readonly closes: boolean
  /** The text that was signed; null: nobody signed. */
  readonly vu: string | null
  readonly prochain: 'creneau' | 'souhait' | null
}

/** What is there when it arrives. */
export interface Found {
  readonly rdv: Rdv
  readonly dossier: Pick<SavCase, 'statut' | 'description'> | null
  readonly reach: Reach
  /** Whether the client was erased. */
  readonly isErased: boolean
}

export type ConstatCode = FieldConstat['codes'][number]

export interface Outcome {
  /** What becomes of the appointment; null: it stays as it is, and what is told stands beside. */
  readonly statut: RdvStatut | null
  /** What becomes of a close; null: there is none. */
  readonly close: 'closes' | 'addendum' | null
  /** Whether the next visit may be booked. */
  readonly books: boolean
  /** What the office did meanwhile, or has to do now. */
  readonly codes: readonly ConstatCode[]
}

/** Of an erased client nothing is taken any more, but that a visit took place. It goes before everything else. */
export const isRefused = ({ nature, hasContent }: Told, { isErased }: Pick<Found, 'isErased'>): boolean =>
  isErased && (nature !== 'intervention' || hasContent)

/** What a fact from the field comes to, whatever the office did meanwhile: it is never discarded. */
export function outcomeOf(told: Told, found: Found): Outcome {
  const close = closeOf(told, found)
  const books = told.prochain === 'creneau' && close === null && found.dossier?.statut !== 'clos'
  const moved = moveOf(told, found)
  const ended = endOf(found.rdv)
  const codes: readonly (ConstatCode | null)[] = [
    ...moved,
    ended,
    close === 'addendum' ? 'dossier_clos' : null,
    differs(told, found) ? 'description_changee' : null,
    told.prochain === 'creneau' && !books ? 'creneau_pris' : null,
    told.prochain === 'souhait' ? 'souhait' : null,
  ]
  return {
    statut: statutOf(told, found.rdv, moved.length > 0),
    close,
    books,
    codes: found.isErased ? [] : codes.filter((code) => code !== null),
  }
}

const statuts = { debut: 'en_cours', intervention: 'realise', absent: 'absent' } as const

/** Moved, or given to another: what was done there stands. Only a delay was one of the time that it had. */
function statutOf({ nature }: Told, { statut }: Rdv, isMoved: boolean): RdvStatut | null {
  if (isEnd(statut)) return null
  if (nature === 'retard') return isMoved ? null : statut
  return statuts[nature]
}

/** Whether it was moved, or given to another, since the phone knew it. */
function moveOf({ version }: Told, { rdv, reach }: Found): ConstatCode[] {
  const moves = rdv.deplacements.filter((move) => version !== undefined && move.version > version)
  const wasGiven = !isOwn(rdv, reach)
  const wasMoved = moves.some(({ debut }) => (debut === undefined ? !wasGiven : debut !== rdv.debut))
  return [...(wasMoved ? ['rdv_deplace' as const] : []), ...(wasGiven ? ['rdv_donne' as const] : [])]
}

/** Ended meanwhile: it stays as it was ended, and what is told stands beside. */
function endOf({ statut }: Rdv): ConstatCode | null {
  if (!isEnd(statut)) return null
  return statut === 'annule' ? 'rdv_annule' : 'rdv_termine'
}

/** Nothing is closed a second time. */
function closeOf({ closes }: Told, { dossier }: Found): Outcome['close'] {
  if (!closes || dossier === null) return null
  return dossier.statut === 'clos' ? 'addendum' : 'closes'
}

/** Whether the case says something else than what was shown to who signed: that stands, and both see the difference. */
const differs = ({ vu }: Told, { dossier }: Found): boolean =>
  vu !== null && dossier !== null && !vu.includes(dossier.description)
