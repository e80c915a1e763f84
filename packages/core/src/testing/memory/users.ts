import type { SessionRecord, SignInAttempt } from '../../users/session.js'
import type { SessionWrites } from '../../users/session-store.js'
import type { Passkey, User } from '../../users/user.js'
import type { UserWrites } from '../../users/user-store.js'
import { by, changed, ownedBy, reversed } from './rows.js'
import type { Tables } from './tables.js'

const usersOf = (tables: Tables) => tables.own<string, User>('users')

const byName = by<User>(
  ({ nom }) => nom,
  ({ id }) => id,
)
const oldestFirst = by<Pick<Passkey, 'date_creation' | 'id'>>(
  ({ date_creation }) => date_creation,
  ({ id }) => id,
)

export function memoryUsers(tables: Tables): UserWrites {
  const users = usersOf(tables)
  const passkeys = tables.own<string, Passkey>('passkeys')
  const isTaken = (account_id: string, email: string | undefined, id: string) =>
    users.where((user) => user.account_id === account_id && user.email === email && user.id !== id).length > 0

  return {
    find: async (account_id, id) => ownedBy(account_id, users.get(id)) ?? null,
    findByEmail: async (email) => users.where((user) => user.email === email),
    list: async (account_id) => users.where((user) => user.account_id === account_id).sort(byName),
    findPasskey: async (credential_id) => passkeys.where((each) => each.credential_id === credential_id)[0] ?? null,
    passkeys: async (account_id, user_id) =>
      passkeys.where((each) => each.account_id === account_id && each.user_id === user_id).sort(oldestFirst),
    async add(user) {
      if (isTaken(user.account_id, user.email, user.id)) return false
      users.put(user.id, user)
      return true
    },
    async update(account_id, id, fields) {
      if (isTaken(account_id, fields.email, id)) return false
      const user = ownedBy(account_id, users.get(id))
      if (user !== undefined) users.put(id, changed<User>(user, fields))
      return true
    },
    async addPasskey(passkey) {
      if (passkeys.where(({ credential_id }) => credential_id === passkey.credential_id).length > 0) return false
      passkeys.put(passkey.id, passkey)
      return true
    },
    async usePasskey({ account_id, id, compteur, derniere_utilisation }) {
      const passkey = ownedBy(account_id, passkeys.get(id))
      if (passkey !== undefined) passkeys.put(id, { ...passkey, compteur, derniere_utilisation })
    },
    async removePasskey(account_id, user_id, id) {
      const passkey = ownedBy(account_id, passkeys.get(id))
      if (passkey?.user_id !== user_id) return false
      passkeys.remove(id)
      return true
    },
  }
}

export function memorySessions(tables: Tables): SessionWrites {
  const users = usersOf(tables)
  const sessions = tables.own<string, SessionRecord>('sessions')
  const attempts = tables.own<string, SignInAttempt>('sign_in_attempts')
  const ofUser = (account_id: string, user_id: string) =>
    sessions.where((session) => session.account_id === account_id && session.user_id === user_id)
  const ended = (before: string) =>
    [
      sessions.where(({ derniere_utilisation }) => derniere_utilisation < before),
      attempts.where(({ expire_a }) => expire_a < before),
    ] as const

  return {
    async findByHash(hash) {
      const [session] = sessions.where((each) => each.hash === hash)
      const user = session && users.get(session.user_id)
      return session && user ? { session, user } : null
    },
    ofUser: async (account_id, user_id) => ofUser(account_id, user_id).sort(reversed(oldestFirst)),
    async add(session) {
      sessions.put(session.id, session)
    },
    async end(account_id, user_id, id) {
      const gone = ofUser(account_id, user_id).filter((session) => id === undefined || session.id === id)
      for (const session of gone) sessions.remove(session.id)
      return gone.length
    },
    async noteUse(uses) {
      for (const { account_id, id, at } of uses) {
        const session = ownedBy(account_id, sessions.get(id))
        if (session !== undefined && session.derniere_utilisation < at)
          sessions.put(id, { ...session, derniere_utilisation: at })
      }
    },
    async addAttempt(attempt) {
      attempts.put(attempt.hash, attempt)
    },
    async findAttempt(hash, methode) {
      const attempt = attempts.get(hash)
      return attempt?.methode === methode ? attempt : null
    },
    async takeAttempt(hash, methode) {
      const attempt = attempts.get(hash)
      if (attempt?.methode !== methode) return null
      attempts.remove(hash)
      return attempt
    },
    async forgetAttempts(account_id, user_id) {
      for (const attempt of attempts.where((each) => each.account_id === account_id && each.user_id === user_id))
        attempts.remove(attempt.hash)
    },
    purgeable: async (before) => ended(before).flat().length,
    async purge(before, limit) {
      const [old, expired] = ended(before)
      for (const { id } of old.slice(0, limit)) sessions.remove(id)
      for (const { hash } of expired.slice(0, limit)) attempts.remove(hash)
      return Math.min(old.length, limit) + Math.min(expired.length, limit)
    },
  }
}
