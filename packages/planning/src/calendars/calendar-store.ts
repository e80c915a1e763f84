import { storeToken } from '@sav/core/feature'
/**
 * The owner of an address: a key or a user of the account, or the account itself. The address ends when its owner loses
 * the rights for it.
 */
export type CalendarOwner =
  | { readonly type: 'cle' | 'utilisateur'; readonly id: string }
  | { readonly type: 'compte'; readonly id: null }

/** The address of a calendar, of one poseur or the whole account, to which other programs subscribe. */
export interface CalendarAddress {
  readonly account_id: string
  /** Null: the calendar of the whole account. */
  readonly poseur_id: number | null
  readonly proprietaire: CalendarOwner
  /** SHA-256 of the secret in the address, in hex. The secret itself is not stored. */
  readonly hash: string
  readonly date_creation: string
}

/** The addresses in use, at most one for each owner of each calendar. */
export interface CalendarReads {
  findByHash(hash: string): Promise<CalendarAddress | null>
  /** The calendar of the whole account first, then by `poseur_id`. */
  list(account_id: string): Promise<CalendarAddress[]>
}

/** Addresses are replaced, so that the previous secret no longer works. */
export interface CalendarWrites extends CalendarReads {
  /** Replaces the address of the same calendar and owner: the previous one is unknown from then on. */
  put(address: CalendarAddress): Promise<void>
  /** Ends every address of a key or a user. */
  end(account_id: string, id: string): Promise<void>
}

/** The repository's name: `tx.of(calendarStore)`. */
export const calendarStore = storeToken<CalendarReads, CalendarWrites>('planning')
