import type { StoredFile } from '../files/stored-file.js'
import type { Account, Changes, NewAccount } from './directory.js'

/** Accounts and their logos; `list` returns every account of the store. */
export interface AccountReads {
  find(account_id: string): Promise<Account | null>
  /** All accounts, in the order of their ids. */
  list(): Promise<Account[]>
  /** The current or a former logo of the account. Earlier reports print former ones. */
  findLogo(account_id: string, sha256: string): Promise<StoredFile | null>
}

/**
 * Accounts are added and changed. Logos are not deleted, since earlier reports print them. Only an erasure deletes
 * everything: see ErasedAccountWrites.
 */
export interface AccountWrites extends AccountReads {
  /** Resolves to false, and writes nothing, when the id is taken. */
  add(account: NewAccount): Promise<boolean>
  update(account_id: string, fields: Changes<Omit<Account, 'id' | 'created_at'>>): Promise<void>
  /** Keeps the logo; the account's field `logo` names the current one. */
  putLogo(account_id: string, logo: StoredFile): Promise<void>
}
