/** An erased account, and the end of its chain. */
export interface ErasedChain {
  readonly account: string
  /** When the erasure was completed; null: not yet, so nothing is compared. */
  readonly date: string | null
  /** Who began the erasure, and who had the chain's digests deleted, as the audit names callers; null if unknown. */
  readonly begun_by: string | null
  readonly chain_erased_by: string | null
  /** The sequence of its last entry; null, like `hash_entree`, if no case was ever closed. */
  readonly sequence: number | null
  readonly hash_entree: string | null
}

/** A fault. `sequence` is null if no chain entry locates it. */
export interface BrokenEvidence {
  readonly sequence: number | null
  /** The reference of the case; empty if no entry names it. */
  readonly reference: string
  readonly problem: string
}

/** The result of a check: no faults if `broken` is empty. */
export interface EvidenceReport {
  /** Chain entries checked. */
  readonly checked: number
  readonly broken: readonly BrokenEvidence[]
  /** Erased accounts among the checked ones, and where each chain ended. Absent if there is none. */
  readonly erased?: readonly ErasedChain[]
}
