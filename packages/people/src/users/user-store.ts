import { storeToken } from '@sav/core/feature'
import type { Passkey, User } from './user.js'

type UserFields = Omit<User, 'id' | 'account_id' | 'date_creation'>

/** People, and the passkeys by which they sign in. */
export interface UserReads {
  find(account_id: string, id: string): Promise<User | null>
  /** The people with this address (in lower case), of all accounts. */
  findByEmail(email: string): Promise<User[]>
  /** By `nom` in the order of a French dictionary, then by `id`. */
  list(account_id: string): Promise<User[]>
  /** The passkey with this name of its authenticator, of any person. */
  findPasskey(credential_id: string): Promise<Passkey | null>
  /** Oldest first. */
  passkeys(account_id: string, user_id: string): Promise<Passkey[]>
}

/** People are added and changed, never deleted: `desactive_le` keeps a person out. Only passkeys are deleted. */
export interface UserWrites extends UserReads {
  /** False, and nothing written, when another person of the account has the address already. */
  add(user: User): Promise<boolean>
  /**
   * Replaces the fields that are given. False, and nothing written, when another person of the account has the address.
   */
  update(
    account_id: string,
    id: string,
    fields: { readonly [field in keyof UserFields]?: UserFields[field] | undefined },
  ): Promise<boolean>
  /** False, and nothing written, when a passkey of this `credential_id` exists. */
  addPasskey(passkey: Passkey): Promise<boolean>
  /** Notes that a passkey was used. */
  usePasskey(passkey: Pick<Passkey, 'account_id' | 'id' | 'compteur' | 'derniere_utilisation'>): Promise<void>
  /** False when this person has no such passkey. */
  removePasskey(account_id: string, user_id: string, id: string): Promise<boolean>
}

/** People, and their passkeys. */
export const userStore = storeToken<UserReads, UserWrites>('people')
