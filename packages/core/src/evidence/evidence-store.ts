import type { EvidenceEntry } from './evidence.js'

/** The chain of each account, the snapshots that its entries hash, and their time stamps. */
export interface EvidenceReads {
  find(account_id: string, sequence: number): Promise<EvidenceEntry | null>
  /** Every entry of one case, oldest first. Entries of imports, which cover many cases, are not included. */
  ofCase(account_id: string, case_id: number): Promise<EvidenceEntry[]>
  /** The chain after `afterSequence`, in order, at most `limit` entries, each with its snapshot (null: missing). */
  walk(
    account_id: string,
    page: { readonly afterSequence: number; readonly limit: number },
  ): Promise<{ entry: EvidenceEntry; snapshot: string | null }[]>
  /** The canonical JSON whose SHA-256 is `hash_dossier`. */
  snapshot(account_id: string, hash_dossier: string): Promise<string | null>
  /** The newest entry. */
  head(account_id: string): Promise<EvidenceEntry | null>
  /**
   * For the check of a printed report: the entry of a close, of any account. It is found by the hash of its snapshot,
   * or by the beginning of that hash. If several match, it is the one whose hash sorts first.
   */
  findByHash(beginning: string): Promise<EvidenceEntry | null>
  /** The newest time stamp of the chain (RFC 3161), if there is one. */
  latestStamp(account_id: string): Promise<EvidenceStamp | null>
  /** Stamps after `afterSequence`, in the order of the chain, at most `limit`. */
  stamps(account_id: string, page: { readonly afterSequence: number; readonly limit: number }): Promise<EvidenceStamp[]>
  /** The oldest stamp at or after `sequence`. It covers that entry too, because the chain links them. */
  stampOf(account_id: string, sequence: number): Promise<EvidenceStamp | null>
}

/** A time stamp of one entry's `hash_entree` by an outside authority. */
export interface EvidenceStamp {
  readonly account_id: string
  readonly sequence: number
  readonly hash_entree: string
  readonly date: string
  /** DER of the authority's answer (RFC 3161 §2.4.2). */
  readonly token: Uint8Array
}

/** The chain only grows: no entry is changed or deleted, and a snapshot can only be replaced by a marker. */
export interface EvidenceWrites extends EvidenceReads {
  /** The newest entry, or null if there is none. Locks the account's chain until this transaction ends. */
  lockHead(account_id: string): Promise<EvidenceEntry | null>
  append(entry: EvidenceEntry, snapshot: string): Promise<void>
  /** Replaces a snapshot by `marker`. */
  eraseSnapshot(account_id: string, hash_dossier: string, marker: string): Promise<void>
  addStamp(stamp: EvidenceStamp): Promise<void>
}
