import type { Page, Paged } from '../values/paging.js'
import type { Changes, Client, ClientFields, Poseur, PoseurFields } from './directory.js'

/** A search without pages: the newest matches, at most `limit`. */
export interface NewestFound {
  readonly recherche: string
  /**
   * Searches only the client's name and town, which rows of cases and appointments show. Company, address, telephone
   * and e-mail are only for callers who may read clients.
   */
  readonly withoutContact?: true | undefined
  readonly limit: number
}

/** Clients and poseurs, including erased and inactive ones. */
export interface DirectoryReads {
  findClient(account_id: string, id: number): Promise<Client | null>
  findPoseur(account_id: string, id: number): Promise<Poseur | null>
  /**
   * A page of clients, ordered by the `sortKey` of nom and prenom, then by id. A position (`after`) consists of these
   * values. `recherche` is as typed: each of its words (`soughtWords`) must occur in nom, prenom, adresse, lieu, telephone
   * or email.
   */
  listClients(account_id: string, query: Page & { readonly recherche?: string | undefined }): Promise<Paged<Client>>
  /** The clients that `listClients` returns for `recherche`, newest first, without a total. */
  searchClients(account_id: string, query: NewestFound): Promise<Client[]>
  /** A page of poseurs in the order of nom (`sortKey`) and id, which make up its positions. */
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
