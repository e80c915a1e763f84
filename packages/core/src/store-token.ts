/** Names a repository of a feature: `tx.of(tagStore)`. The adapter chooses the implementation. */
export interface StoreToken<Reads, Writes extends Reads = Reads> {
  /** The feature, for the error when the storage lacks its tables. */
  readonly feature: string
  /** Never set; only for types. */
  readonly types?: { readonly reads: Reads; readonly writes: Writes }
}

/** The token of a repository, to be kept in a constant: each call names a different one. */
export const storeToken = <Reads, Writes extends Reads = Reads>(feature: string): StoreToken<Reads, Writes> => ({
  feature,
})
