/** What the processes of one installation tell each other. */
export interface Processes {
  /**
   * Notes what this process has to say (replacing what it said before), forgets processes that said nothing since
   * `aliveSince` (instant), and resolves to what the others say. One short transaction, about once a second.
   */
  exchange(
    own: { readonly id: string; readonly at: string; readonly says: string },
    aliveSince: string,
  ): Promise<string[]>
}
