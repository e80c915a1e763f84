/**
 * A bucket of tokens that all processes draw from. One number is enough: the later it will be full, the less it holds.
 */
export interface StoredBucket {
  readonly name: string
  /** In microseconds since the Unix epoch, an integer. A past time is a full bucket. */
  readonly full_at: number
}

/** The buckets of the rate limits: each exchange claims some, and saves them in the same transaction. */
export interface BucketWrites {
  /**
   * Finds the buckets of these names, and locks them until the transaction ends. One that was never saved is full since
   * 0. It locks in the given order: sort the names, so that no two callers wait for each other. The result is in any
   * order.
   */
  claim(names: readonly string[]): Promise<StoredBucket[]>
  /** Replaces buckets that this transaction has claimed. */
  save(buckets: readonly StoredBucket[]): Promise<void>
  /** Deletes those that were full before this time, in microseconds since the Unix epoch. */
  forget(fullBefore: number): Promise<void>
}
