import { storeToken } from '@sav/core/feature'
/** The address of the page where a customer answers for one appointment. */
export interface RdvPage {
  /** SHA-256 of the secret in the address, in hex. The secret itself is not stored. */
  readonly hash: string
  readonly account_id: string
  readonly rdv_id: number
}

/** The addresses of customers' pages, by the SHA-256 of the secret, of any account. */
export interface RdvPageReads {
  find(hash: string): Promise<RdvPage | null>
}

/** Letters add addresses; the erasure of a customer removes them. */
export interface RdvPageWrites extends RdvPageReads {
  /** Adds an address, unless it already exists. */
  add(page: RdvPage): Promise<void>
  /** Removes all addresses of an appointment. */
  remove(account_id: string, rdv_id: number): Promise<void>
}

/** The repository's name: `tx.of(rdvPageStore)`. */
export const rdvPageStore = storeToken<RdvPageReads, RdvPageWrites>('planning')
