import type { StoredFile } from '../files/stored-file.js'
import type { Account, AccountFields, Changes } from './directory.js'

/** Accounts and their logos; `list` gives every account of the store. */
export interface AccountReads {
  find(account_id: string): Promise<Account | null>
  /** In the order of their ids. */
  list(): Promise<Account[]>
  /** In the order of their ids. */
  tombstones(): Promise<AccountTombstone[]>
  /** A logo that the account has, or had: reports of that time print it. */
  findLogo(account_id: string, sha256: string): Promise<StoredFile | null>
}

/** What is left of an account that was erased with its chain. */
export interface AccountTombstone {
  readonly id: string
  /** Of the last entry of its chain; 0 and null where it had none. */
  readonly sequence: number
  readonly hash_entree: string | null
  readonly date: string
}

/** Logos are never deleted but with their account: earlier reports print them. */
export interface AccountWrites extends AccountReads {
  /** False, and nothing written, when the id is taken, or was by an account that is erased. */
  add(account: Account): Promise<boolean>
  update(account_id: string, fields: Changes<AccountFields>): Promise<void>
  /** Keeps the logo; the account's field `logo` says which one it has. */
  putLogo(account_id: string, logo: StoredFile): Promise<void>
}
