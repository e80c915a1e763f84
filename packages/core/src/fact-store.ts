/** Metadata of the installation, such as the fingerprint of its secret key. */
export interface FactReads {
  /** Null when it was never set. */
  get(name: string): Promise<string | null>
}

/** Setting a name again replaces its value. */
export interface FactWrites extends FactReads {
  set(name: string, value: string): Promise<void>
}
