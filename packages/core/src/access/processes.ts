/** The processes that serve on this store, and their common clock. */
export interface ProcessWrites {
  /**
   * Milliseconds since the Unix epoch, by one clock for all processes: that of a store which machines share, or `own`,
   * the caller's clock, if all processes run on one machine.
   */
  now(own: number): Promise<number>
  /**
   * Notes that this process is alive at the instant `at`, forgets those that were not since the instant `since`, and
   * resolves to the number of the others.
   */
  noteAlive(process: { readonly id: string; readonly at: string }, since: string): Promise<number>
}
