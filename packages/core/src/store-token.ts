/**
 * Names a repository of a feature. The storage finds it by this value: `tx.of(tagStore)`. Its adapter chooses the
 * implementation.
 */
export interface StoreToken<Reads, Writes extends Reads = Reads> {
  /** The feature, for the sentence that says what the storage lacks. */
  readonly feature: string
  /** Never set: for types only. */
  readonly types?: { readonly reads: Reads; readonly writes: Writes }
}

/** The token of a repository, to be kept in a constant: two calls name two repositories. */
export const storeToken = <Reads, Writes extends Reads = Reads>(feature: string): StoreToken<Reads, Writes> => ({
  feature,
})
