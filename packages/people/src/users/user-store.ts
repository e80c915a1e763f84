import { storeToken } from '@sav/core/feature'
import type { Passkey, User } from './user.js'

type UserFields = Omit<User, 'id' | 'account_id' | 'date_creation'>

/** Users, and their passkeys. */
export interface UserReads {
  find(account_id: string, id: string): Promise<User | null>
  /** The users with this address (in lower case), of all accounts. */
  findByEmail(email: string): Promise<User[]>
  /** The account's users, by `nom` in the order of a French dictionary, then by `id`. */
  list(account_id: string): Promise<User[]>
  /** The passkey with this authenticator id, of any user. */
  findPasskey(credential_id: string): Promise<Passkey | null>
  /** A user's passkeys, oldest first. */
  passkeys(account_id: string, user_id: string): Promise<Passkey[]>
}

/** Users are added and changed, never deleted: `desactive_le` disables one. Only passkeys are deleted. */
export interface UserWrites extends UserReads {
  /** Resolves to false, and writes nothing, when another user of the account already has the address. */
  add(user: User): Promise<boolean>
  /**
   * Replaces the given fields. Resolves to false, and writes nothing, when another user of the account has the address.
   */
  update(
    account_id: string,
    id: string,
    fields: { readonly [field in keyof UserFields]?: UserFields[field] | undefined },
  ): Promise<boolean>
  /** Resolves to false, and writes nothing, when a passkey with this `credential_id` exists. */
  addPasskey(passkey: Passkey): Promise<boolean>
  /** Records that a passkey was used. */
  usePasskey(passkey: Pick<Passkey, 'account_id' | 'id' | 'compteur' | 'derniere_utilisation'>): Promise<void>
  /** Resolves to false when this user has no such passkey. */
  removePasskey(account_id: string, user_id: string, id: string): Promise<boolean>
}

/** Users, and their passkeys. */
export const userStore = storeToken<UserReads, UserWrites>('people')
