/** A bucket of tokens that all processes draw from. The one number says it all: it holds less the later it will be full. */
export interface StoredBucket {
  readonly name: string
  /** In microseconds since the Unix epoch, an integer; one that has passed is a full bucket. */
  readonly full_at: number
}

/** The buckets of the rate limits: each exchange claims some, and saves them in the same transaction. */
export interface BucketWrites {
  /**
   * Finds the buckets of these names; one that was never saved is full since 0. Until the transaction ends nobody else
   * finds them. It takes them in the order given: sort the names, so that no two
   * callers wait for each other. In any order it gives them.
   */
  claim(names: readonly string[]): Promise<StoredBucket[]>
  /** Replaces buckets that this transaction has claimed. */
  save(buckets: readonly StoredBucket[]): Promise<void>
  /** Forgets those that were full before this time, in microseconds since the Unix epoch. */
  forget(fullBefore: number): Promise<void>
}
