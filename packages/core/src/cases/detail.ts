import type { Delivery } from '../delivery/delivery.js'
import { withoutAddresses } from '../delivery/letter-access.js'
import { addendaOf } from '../evidence/addenda.js'
import { closingFields, noClosing } from '../evidence/closing-fields.js'
import type { EvidenceEntry } from '../evidence/evidence.js'
import type { ReportRecord } from '../reports/report.js'
import type { Reads } from '../storage.js'
import { picked } from '../values/picked.js'
import type { CaseDetail, IdentifiedPhoto, PvState, SavCase } from './case.js'

const statutOf = { pending: 'en_file', delivered: 'envoye', failed: 'echec' } as const

const byChannel = (a: Delivery, b: Delivery) => (a.channel < b.channel ? -1 : 1)

/**
 * The state of a report.
 * @param deliveries in the order of their ids: if a channel has several, its latest one counts
 */
export function pvStateOf({ statut }: Pick<ReportRecord, 'statut'>, deliveries: readonly Delivery[]): PvState {
  const latest = [...new Map(deliveries.map((delivery) => [delivery.channel, delivery])).values()]
  return {
    statut,
    canaux: latest.toSorted(byChannel).map(({ id, channel, state, last_error, last_error_code }) => ({
      canal: channel,
      statut: statutOf[state],
      livraison: id,
      // Addresses are removed: callers who may see addresses find them in the directory.
      erreur: state === 'delivered' || last_error === null ? null : withoutAddresses(last_error),
      code: state === 'delivered' ? null : last_error_code,
    })),
  }
}

const notClosed = { ...noClosing, reserves: [] }

interface Belongings extends Pick<CaseDetail, 'historique' | 'interventions' | 'pv'> {
  readonly evidence: readonly EvidenceEntry[]
}

function detailOf(found: SavCase, { evidence, ...belongings }: Belongings): CaseDetail {
  const { account_id: _, sel_notes: __, tete_historique: ___, ...shown } = found
  return {
    ...shown,
    ...(found.statut === 'clos' ? picked(found, closingFields) : notClosed),
    ...belongings,
    photos: photosOf(found),
    addenda: addendaOf(belongings.historique),
    preuve: evidence.map(({ sequence, date, hash_dossier, hash_entree }) => ({
      sequence,
      date,
      hash_sha256: hash_dossier,
      hash_entree,
    })),
  }
}

export const photosOf = ({ id, photos }: Pick<SavCase, 'id' | 'photos'>): IdentifiedPhoto[] =>
  photos.map((photo, index) => ({ id: `${id}-${index + 1}`, ...photo }))

/** The case with its history, its evidence and the state of its report, from `reads`. */
export async function detailIn(reads: Reads, found: SavCase): Promise<CaseDetail> {
  const { account_id, id } = found
  // The reads run in parallel, in one round trip to the server.
  const [historique, evidence, interventions, pv] = await Promise.all([
    reads.cases.history(account_id, id),
    reads.evidence.ofCase(account_id, id),
    reads.cases.interventions(account_id, id),
    found.statut === 'clos' ? pvOf(reads, found) : null,
  ])
  return detailOf(found, { historique, evidence, interventions, pv })
}

async function pvOf(reads: Reads, { account_id, id }: SavCase): Promise<PvState | null> {
  const report = (await reads.reports.ofCase(account_id, id)).at(-1)
  if (report === undefined) return null
  const { event_id } = report
  return pvStateOf(report, event_id === null ? [] : await reads.deliveries.ofEvent(account_id, event_id))
}
