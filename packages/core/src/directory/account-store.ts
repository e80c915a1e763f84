import type { StoredFile } from '../files/stored-file.js'
import type { Account, Changes, NewAccount } from './directory.js'

/** Accounts and their logos; `list` gives every account of the store. */
export interface AccountReads {
  find(account_id: string): Promise<Account | null>
  /** In the order of their ids. */
  list(): Promise<Account[]>
  /** A logo that the account has, or had: reports of that time print it. */
  findLogo(account_id: string, sha256: string): Promise<StoredFile | null>
}

/** Accounts are added and changed; nor are logos deleted, which earlier reports print. An erasure takes all: see ErasedAccountWrites. */
export interface AccountWrites extends AccountReads {
  /** False, and nothing written, when the id is taken. */
  add(account: NewAccount): Promise<boolean>
  update(account_id: string, fields: Changes<Omit<Account, 'id' | 'created_at'>>): Promise<void>
  /** Keeps the logo; the account's field `logo` says which one it has. */
  putLogo(account_id: string, logo: StoredFile): Promise<void>
}
