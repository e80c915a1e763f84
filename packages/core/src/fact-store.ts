/** Small facts about the installation itself, such as the fingerprint of its secret key. */
export interface FactReads {
  /** Null when it was never set. */
  get(name: string): Promise<string | null>
}

/** A fact that is set again is replaced. */
export interface FactWrites extends FactReads {
  set(name: string, value: string): Promise<void>
}
