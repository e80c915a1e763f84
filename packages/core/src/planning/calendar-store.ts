/** The address of a calendar that other programs subscribe to: of one poseur, or of the whole account. */
export interface CalendarAddress {
  readonly account_id: string
  /** Null: of the whole account. */
  readonly poseur_id: number | null
  /** SHA-256 of the secret in the address, in hex: the secret itself is nowhere. */
  readonly hash: string
  readonly date_creation: string
}

/** The addresses in use, at most one for each poseur and one for the whole account. */
export interface CalendarReads {
  /** The one in use; `poseur_id` null: that of the whole account. */
  find(account_id: string, poseur_id: number | null): Promise<CalendarAddress | null>
  findByHash(hash: string): Promise<CalendarAddress | null>
}

/** Addresses are replaced, so that the secret of an earlier one opens nothing. */
export interface CalendarWrites extends CalendarReads {
  /** In place of the address that the same poseur, or the account, had before: that one is unknown from then on. */
  put(address: CalendarAddress): Promise<void>
}
