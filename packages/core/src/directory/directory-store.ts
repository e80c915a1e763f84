import type { Page, Paged } from '../values/paging.js'
import type { Changes, Client, ClientFields, Poseur, PoseurFields } from './directory.js'

/** A search without pages: the newest that it finds, at most `limit`. */
export interface NewestFound {
  readonly recherche: string
  /**
   * In a client it searches only name and town, which the rows of cases and appointments show, and not the company, the
   * address, the telephone and the e-mail, which only readers of clients see.
   */
  readonly withoutContact?: true | undefined
  readonly limit: number
}

/** Clients and poseurs; erased and inactive ones are found and listed like the others. */
export interface DirectoryReads {
  findClient(account_id: string, id: number): Promise<Client | null>
  findPoseur(account_id: string, id: number): Promise<Poseur | null>
  /**
   * A page by nom, prenom (`sortKey`) and id, which are a place in it. `recherche` is as it was typed: each of its words (`soughtWords`) must be found in nom,
   * prenom, adresse, lieu, telephone or email.
   */
  listClients(account_id: string, query: Page & { readonly recherche?: string | undefined }): Promise<Paged<Client>>
  /** The clients that `listClients` gives for `recherche`, newest first, without counting. */
  searchClients(account_id: string, query: NewestFound): Promise<Client[]>
  /** By nom (`sortKey`) and id, which are a place in it. */
  listPoseurs(account_id: string, query: Page): Promise<Paged<Poseur>>
}

/** Clients and poseurs are added and changed, never deleted. */
export interface DirectoryWrites extends DirectoryReads {
  /** Resolves to the new id: a positive integer, never used before in this store. */
  addClient(account_id: string, client: ClientFields): Promise<number>
  updateClient(account_id: string, id: number, fields: Changes<ClientFields>): Promise<void>
  addPoseur(account_id: string, poseur: PoseurFields): Promise<number>
  updatePoseur(account_id: string, id: number, fields: Changes<PoseurFields>): Promise<void>
}
