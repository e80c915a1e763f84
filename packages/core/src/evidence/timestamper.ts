/** Asks an outside authority to state that a hash existed at a time (RFC 3161). */
export interface Timestamper {
  /**
   * DER of the authority's answer, verified to be about this hash (SHA-256, lowercase hex) and signed by the authority.
   * @throws Error in plain words when there is none
   */
  stamp(hash: string): Promise<Uint8Array>
}

/** Verifies the answers of such an authority. */
export interface StampVerifier {
  /** The fault of a stamp of this hash (SHA-256, lowercase hex), as one sentence; null when it is valid. */
  check(token: Uint8Array, hash: string): Promise<string | null>
}
