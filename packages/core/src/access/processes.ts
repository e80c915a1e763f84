/** Which processes serve on this store, and what time it is for them all. */
export interface ProcessWrites {
  /**
   * Milliseconds since the Unix epoch, by one clock for all processes: that of a store which machines share, or where
   * all processes run on one machine the caller's own, which is `own`.
   */
  now(own: number): Promise<number>
  /**
   * Notes that this process is alive at the instant `at`, forgets those that were not since the instant `since`, and
   * resolves to how many others there are.
   */
  noteAlive(process: { readonly id: string; readonly at: string }, since: string): Promise<number>
}
