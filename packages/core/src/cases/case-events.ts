import type { NewEvent } from '../webhooks/outbox.js'
import type { Priorite, Statut, TypeProbleme } from './case.js'
import type { EvidenceEntry } from './evidence.js'
import type { Change } from './history.js'

/** What an event says of its case: ids and states, no personal data. */
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

/** `data` of an event about a case. Of a free-text field it tells only that it changed. */
export function caseEventData(
  subject: EventSubject,
  changes: readonly Change[],
  evidence?: EvidenceEntry,
): NewEvent['data'] {
  return {
    id: subject.id,
    reference: subject.reference,
    statut: subject.statut,
    priorite: subject.priorite,
    type_probleme: subject.type_probleme,
    client: { id: subject.client.id },
    poseur: subject.poseur_assigne === null ? null : { id: subject.poseur_assigne.id },
    version: subject.version,
    changements: changes.map(({ champ, ancien, nouveau }) =>
      champ === 'notes_internes' ? { champ } : { champ, ancien, nouveau },
    ),
    ...(evidence && {
      hash_sha256: evidence.hash_dossier,
      date_cloture: evidence.date,
      sequence: evidence.sequence,
      hash_entree: evidence.hash_entree,
    }),
  }
}
