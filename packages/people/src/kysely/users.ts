import { changed, Repository, type schema, statementsOf } from '@sav/storage-kysely/feature'
import { sql } from 'kysely'
import type { Passkey, User } from '../users/user.js'
import type { UserWrites } from '../users/user-store.js'
import { tables } from './tables.js'

type Schema = schema.KyselyTables<typeof tables>
const { deletion, insertion, lookUpBy, replacement, selection } = statementsOf<Schema>()

const findUser = lookUpBy('users', ['account_id', 'id'])
// Uses the unique index users_email.
const findByEmail = selection('users', ['email'])
const listUsers = selection('users', ['account_id'], { order: ['id'] })
const fields = tables.users.without('account_id', 'id', 'date_creation')
const addUser = insertion('users', tables.users.names, sql<never>`on conflict (email, account_id) do nothing`)
const updateUser = replacement('users', ['account_id', 'id'], fields)

// Uses the unique index passkeys_credential.
const findPasskey = selection('passkeys', ['credential_id'])
// Uses the index passkeys_user.
const listPasskeys = selection('passkeys', ['account_id', 'user_id'], { order: ['date_creation', 'id'] })
const addPasskey = insertion('passkeys', tables.passkeys.names, sql<never>`on conflict (credential_id) do nothing`)
const usePasskey = replacement('passkeys', ['account_id', 'id'], ['compteur', 'derniere_utilisation'])
const removePasskey = deletion('passkeys', ['account_id', 'user_id', 'id'])

export class Users extends Repository implements UserWrites {
  find(account_id: string, id: string): Promise<User | null> {
    return this.db.find(findUser, { account_id, id })
  }

  findByEmail(email: string): Promise<User[]> {
    return this.db.all(findByEmail, { email })
  }

  async list(account_id: string): Promise<User[]> {
    const { compare } = new Intl.Collator('fr')
    return (await this.db.all(listUsers, { account_id })).toSorted((a, b) => compare(a.nom, b.nom))
  }

  async findPasskey(credential_id: string): Promise<Passkey | null> {
    const row = await this.db.first(findPasskey, { credential_id })
    return row && tables.passkeys.read(row)
  }

  async passkeys(account_id: string, user_id: string): Promise<Passkey[]> {
    return (await this.db.all(listPasskeys, { account_id, user_id })).map((row) => tables.passkeys.read(row))
  }

  async add(user: User): Promise<boolean> {
    return (await this.db.run(addUser, { ...user })) === 1
  }

  async update(account_id: string, id: string, fields: Parameters<UserWrites['update']>[2]): Promise<boolean> {
    const user = await this.find(account_id, id)
    if (user === null) return true
    const { email } = fields
    const isTaken = email !== undefined && (await this.findByEmail(email)).some(isAnother(user))
    if (!isTaken) await this.db.run(updateUser, changed<User>(user, fields))
    return !isTaken
  }

  async addPasskey(passkey: Passkey): Promise<boolean> {
    return (await this.db.run(addPasskey, tables.passkeys.written(passkey))) === 1
  }

  async usePasskey(used: Parameters<UserWrites['usePasskey']>[0]): Promise<void> {
    await this.db.run(usePasskey, used)
  }

  async removePasskey(account_id: string, user_id: string, id: string): Promise<boolean> {
    return (await this.db.run(removePasskey, { account_id, user_id, id })) === 1
  }
}

const isAnother = (user: User) => (each: User) => each.account_id === user.account_id && each.id !== user.id
