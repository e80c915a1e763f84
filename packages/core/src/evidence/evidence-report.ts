/** An erased account, and the end of its chain. */
export interface ErasedChain {
  readonly account: string
  /** When it was completed; null: under way, so nothing is compared. */
  readonly date: string | null
  /** Who began to erase it, and who gave up the digests of its chain, as the audit names callers; null if that is not known. */
  readonly begun_by: string | null
  readonly chain_erased_by: string | null
  /** Of its last entry; null, as `hash_entree`: no case was closed. */
  readonly sequence: number | null
  readonly hash_entree: string | null
}

/** A fault that was found. `sequence` is null if no entry of the chain names the place. */
export interface BrokenEvidence {
  readonly sequence: number | null
  /** Empty if no entry names it. */
  readonly reference: string
  readonly problem: string
}

/** The result of a check of the evidence: without faults where `broken` is empty. */
export interface EvidenceReport {
  /** Chain entries checked. */
  readonly checked: number
  readonly broken: readonly BrokenEvidence[]
  /** Accounts that were erased: of each, where its chain ended. Absent if there is none among the checked accounts. */
  readonly erased?: readonly ErasedChain[]
}
