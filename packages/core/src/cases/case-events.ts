import type { EventDataOf } from '../delivery/outbox.js'
import type { EvidenceEntry } from '../evidence/evidence.js'
import type { ReportRecord } from '../reports/report.js'
import type { Priorite, Statut, TypeProbleme } from '../values/vocabulary.js'
import type { NamedChange } from './history.js'

/** The data of a case in an event: ids and states, no personal data. */
interface EventSubject {
  readonly id: number
  readonly reference: string
  readonly statut: Statut
  readonly priorite: Priorite
  readonly type_probleme: TypeProbleme
  readonly client: { readonly id: number }
  readonly poseur_assigne: { readonly id: number } | null
  readonly version: number
}

/** The data of an event about a case. For a free-text field, it only names the field that changed. */
export function caseEventData(subject: EventSubject, changes: readonly NamedChange[]): EventDataOf<'sav.updated'> {
  return {
    id: subject.id,
    reference: subject.reference,
    statut: subject.statut,
    priorite: subject.priorite,
    type_probleme: subject.type_probleme,
    client: { id: subject.client.id },
    poseur: subject.poseur_assigne === null ? null : { id: subject.poseur_assigne.id },
    version: subject.version,
    changements: changes.map((change) => (change.champ === 'notes_internes' ? { champ: change.champ } : change)),
  }
}

/** The data of an event about a report: the close that it reports, and the channel that accepted it. */
export function reportEventData(
  subject: EventSubject,
  changes: readonly NamedChange[],
  { sequence, canal }: Pick<ReportRecord, 'sequence' | 'canal'>,
): EventDataOf<'sav.report_sent' | 'sav.report_failed'> {
  return { ...caseEventData(subject, changes), sequence, canal }
}

/**
 * The data of an event about a close. It includes the entry in the evidence chain, which receivers keep as an anchor.
 */
export function closedEventData(
  subject: EventSubject,
  changes: readonly NamedChange[],
  evidence: EvidenceEntry,
): EventDataOf<'sav.closed'> {
  return {
    ...caseEventData(subject, changes),
    statut: 'clos',
    hash_sha256: evidence.hash_dossier,
    date_cloture: evidence.date,
    sequence: evidence.sequence,
    hash_entree: evidence.hash_entree,
  }
}
