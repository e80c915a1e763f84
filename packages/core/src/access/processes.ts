/** The processes that serve this store, and their common clock. */
export interface ProcessWrites {
  /**
   * Milliseconds since the Unix epoch, by one clock for all processes: the store's if several machines share it, or
   * `own`, the caller's clock, if all processes run on one machine.
   */
  now(own: number): Promise<number>
  /**
   * Records that this process is alive at the instant `at`, and deletes processes not seen since the instant `since`.
   * Resolves to the number of other processes.
   */
  noteAlive(process: { readonly id: string; readonly at: string }, since: string): Promise<number>
}
