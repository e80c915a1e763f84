import type { EvidenceEntry } from '../evidence/evidence.js'

/** What remains of an account that was erased, or is being erased. It reserves the name. */
export interface ErasedAccount {
  readonly id: string
  /** The instant at which the erasure began. */
  readonly begun_at: string
  /** The caller who began the erasure, as the audit names callers: `cli:root (sudo by marie)`. Null if unknown. */
  readonly begun_by: string | null
  /** Since when the digests of its chain are deleted too; null: the digests are kept. */
  readonly chain_erased_at: string | null
  /** The caller who had the digests deleted. Null if they are kept, or if the caller is unknown. */
  readonly chain_erased_by: string | null
  /** When the erasure was completed; null: not yet. */
  readonly date: string | null
  /** The sequence of the last entry in its chain. Null, like `hash_entree`, if no case was ever closed. */
  readonly sequence: number | null
  readonly hash_entree: string | null
}

/** An entry in the chain of an erased account: only what its hash covers. */
export type ErasedEntry = Omit<EvidenceEntry, 'case_id'>

/** Erased accounts, and the digests kept of their chains. */
export interface ErasedAccountReads {
  find(account_id: string): Promise<ErasedAccount | null>
  /** All erased accounts, in the order of their ids. */
  list(): Promise<ErasedAccount[]>
  /** The digests after `afterSequence`, in order, at most `limit`. */
  walk(account_id: string, page: { readonly afterSequence: number; readonly limit: number }): Promise<ErasedEntry[]>
}

export interface ErasedAccountWrites extends ErasedAccountReads {
  /** Replaces the existing record, but keeps its `begun_at` and `begun_by`. */
  save(erased: ErasedAccount): Promise<void>
  /**
   * Deletes some hundred rows of the account. If the chain is kept, its entries are moved to where `walk` reads them.
   * Resolves to the number of rows deleted or moved: 0 when only the account itself is left.
   */
  eraseRows(account_id: string, chain: { readonly keepsChain: boolean }): Promise<number>
  /** Deletes the account itself, when nothing else of it is left. */
  remove(account_id: string): Promise<void>
}
