import type { EvidenceEntry } from '@sav/core'
import type { ReportRecord } from '@sav/core/ports'
import { bytes, table, text, whole } from './table.js'

const sending = 'how a report was sent is not part of the evidence'
const stamp = 'a stamp is an additional proof, not a link of the chain; its time is the one that the authority signed'

/** The digests of an erased account are a chain, which needs no other evidence. */
const left = { none: 'it is what remains of an erased account, and anchors kept elsewhere can verify it' } as const

/** The evidence of closed cases. Auditors read the first two tables by these names. */
export const evidenceTables = {
  evidence_entries: table(
    {
      account_id: text(),
      sequence: whole(),
      version: whole<EvidenceEntry['version']>(),
      case_id: whole(),
      reference: text(),
      date: text(),
      hash_dossier: text(),
      hash_precedent: text(),
      hash_entree: text(),
    },
    { key: ['account_id', 'sequence'], evidence: { by: 'the chain of the account' } },
  ),
  evidence_snapshots: table(
    { account_id: text(), hash_dossier: text(), snapshot: text().personal() },
    {
      key: ['account_id', 'hash_dossier'],
      evidence: { by: 'its hash in the entry of the chain', inserted: 'no entry names it' },
    },
  ),
  evidence_stamps: table(
    {
      account_id: text().uncovered(stamp),
      sequence: whole(),
      hash_entree: text(),
      date: text().uncovered(stamp),
      /** The token, encoded as DER. */
      token: bytes(),
    },
    {
      key: ['account_id', 'sequence'],
      evidence: { by: 'the signature of the authority', deleted: stamp },
    },
  ),
  /** What remains of an erased account: its name is never reused. */
  erased_accounts: table(
    {
      id: text(),
      begun_at: text(),
      /** The caller that began it, in the form of the audit's `ip`; null if unknown. */
      begun_by: text().orNull(),
      /** When `erased_entries` were deleted as well; null: they are kept. */
      chain_erased_at: text().orNull(),
      chain_erased_by: text().orNull(),
      /** When it was completed; null: not yet. */
      date: text().orNull(),
      /** This column and the next one identify the last entry of its chain; null if there is none. */
      sequence: whole().orNull(),
      hash_entree: text().orNull(),
    },
    { key: ['id'], evidence: left },
  ),
  /** The chain of an erased account: only digests. */
  erased_entries: table(
    {
      account_id: text(),
      sequence: whole(),
      version: whole<EvidenceEntry['version']>(),
      reference: text(),
      date: text(),
      hash_dossier: text(),
      hash_precedent: text(),
      hash_entree: text(),
    },
    {
      key: ['account_id', 'sequence'],
      evidence: left,
      outlives: 'digests of an account that was erased without --everything',
    },
  ),
  reports: table(
    {
      account_id: text(),
      sequence: whole(),
      case_id: whole(),
      reference: text(),
      event_id: text().orNull().uncovered(sending),
      statut: text<ReportRecord['statut']>().uncovered(sending),
      canal: text().orNull().uncovered(sending),
      /** SHA-256 of a row of `files`. */
      pdf: text().orNull().personal(),
      erased_at: text().orNull(),
      created_at: text(),
    },
    { key: ['account_id', 'sequence'], evidence: { by: 'the history of its case' } },
  ),
}
