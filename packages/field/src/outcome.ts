import type { RdvStatut } from '@sav/core/feature'
import type { SavCase } from '@sav/core/ports'
import { isEnd, type Rdv } from '@sav/planning/feature'
import type { FieldConstat, FieldKind } from './fact.js'
import { isOwn, type Reach } from './own-visits.js'

/** The parts of a report that changes by the office can affect. */
export interface FieldReport {
  readonly nature: Exclude<FieldKind, 'ajout'>
  /** The version of the appointment on the phone. */
  readonly version: number | undefined
  /** Whether the report says more than that the visit took place. */
  readonly hasContent: boolean
  /** Whether the report closes the case. */
  readonly closes: boolean
  /** The signed text; null: there is no signature. */
  readonly vu: string | null
  readonly prochain: 'creneau' | 'souhait' | null
}

/** The state on arrival. */
export interface ArrivalState {
  readonly rdv: Rdv
  readonly dossier: Pick<SavCase, 'statut' | 'description'> | null
  readonly reach: Reach
  /** Whether the client was erased. */
  readonly isErased: boolean
}

export type ConstatCode = FieldConstat['codes'][number]

export interface Outcome {
  /** The new status of the appointment; null: unchanged, and the report is only recorded. */
  readonly statut: RdvStatut | null
  /** Whether the reported close closes the case, or is added to it; null if the report has no close. */
  readonly close: 'closes' | 'addendum' | null
  /** Whether the next visit may be booked. */
  readonly books: boolean
  /** What the office did meanwhile, or has to do now. */
  readonly codes: readonly ConstatCode[]
}

/** Whether a report is refused: it is about an erased client, and says more than that the visit took place. */
export const isRefused = ({ nature, hasContent }: FieldReport, { isErased }: Pick<ArrivalState, 'isErased'>): boolean =>
  isErased && (nature !== 'intervention' || hasContent)

/** The outcome of a report. Whatever the office did meanwhile, the report is not discarded. */
export function outcomeOf(told: FieldReport, found: ArrivalState): Outcome {
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

/** The status after the report. On a moved visit only a delay is ignored: it was about the earlier time. */
function statutOf({ nature }: FieldReport, { statut }: Rdv, isMoved: boolean): RdvStatut | null {
  if (isEnd(statut)) return null
  if (nature === 'retard') return isMoved ? null : statut
  return statuts[nature]
}

/** Whether the visit was moved or reassigned since the version on the phone. */
function moveOf({ version }: FieldReport, { rdv, reach }: ArrivalState): ConstatCode[] {
  // The first move after that version has the time that the phone knew.
  const move = rdv.deplacements.find((each) => version !== undefined && each.version > version)
  const wasGiven = !isOwn(rdv, reach)
  const wasMoved = move !== undefined && (move.debut === undefined ? !wasGiven : move.debut !== rdv.debut)
  return [...(wasMoved ? ['rdv_deplace' as const] : []), ...(wasGiven ? ['rdv_donne' as const] : [])]
}

/** A visit that ended meanwhile stays ended. */
function endOf({ statut }: Rdv): ConstatCode | null {
  if (!isEnd(statut)) return null
  return statut === 'annule' ? 'rdv_annule' : 'rdv_termine'
}

function closeOf({ closes }: FieldReport, { dossier }: ArrivalState): Outcome['close'] {
  if (!closes || dossier === null) return null
  return dossier.statut === 'clos' ? 'addendum' : 'closes'
}

/** Whether the case has another description than the signed text. The signature stays valid. */
const differs = ({ vu }: FieldReport, { dossier }: ArrivalState): boolean =>
  vu !== null && dossier !== null && !vu.includes(dossier.description)
