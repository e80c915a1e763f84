/** Asks an authority outside the house to say that a hash existed at a time (RFC 3161). */
export interface Timestamper {
  /**
   * DER of the authority's answer, checked to be about this hash (SHA-256, lowercase hex).
   * @throws Error in plain words when there is none
   */
  stamp(hash: string): Promise<Uint8Array>
}
