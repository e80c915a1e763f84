import { schema } from '@sav/storage-kysely/feature'
import type { SessionRecord, SignInAttempt } from '../sessions/session.js'
import type { User } from '../users/user.js'

/** Users, their sign-ins, and their sessions. */
export const tables = {
  users: schema.table(
    {
      account_id: schema.text(),
      id: schema.text(),
      nom: schema.text(),
      email: schema.text(),
      role: schema.text<User['role']>(),
      poseur_id: schema.whole().orNull(),
      date_creation: schema.text(),
      desactive_le: schema.text().orNull(),
      derniere_connexion: schema.text().orNull(),
    },
    { key: ['account_id', 'id'], evidence: schema.ofTheService },
  ),
  passkeys: schema.table(
    {
      account_id: schema.text(),
      id: schema.text(),
      user_id: schema.text(),
      nom: schema.text(),
      credential_id: schema.text(),
      public_key: schema.text(),
      compteur: schema.whole(),
      transports: schema.json<readonly string[]>(),
      date_creation: schema.text(),
      derniere_utilisation: schema.text().orNull(),
    },
    { key: ['account_id', 'id'], evidence: schema.ofTheService },
  ),
  // A copy of the store must not restore an ended session.
  sessions: schema.table(
    {
      account_id: schema.text(),
      id: schema.text(),
      user_id: schema.text(),
      hash: schema.text(),
      methode: schema.text<SessionRecord['methode']>(),
      ip: schema.text(),
      appareil: schema.text(),
      date_creation: schema.text(),
      derniere_utilisation: schema.text(),
      appareil_terrain: schema.text().orNull(),
      en_attente: schema.whole().orNull(),
    },
    { key: ['account_id', 'id'], copied: null, evidence: schema.ofTheService },
  ),
  sign_in_attempts: schema.table(
    {
      hash: schema.text(),
      methode: schema.text<SignInAttempt['methode']>(),
      account_id: schema.text().orNull(),
      user_id: schema.text().orNull(),
      expire_a: schema.text(),
    },
    { key: ['hash'], copied: null, evidence: schema.ofTheService },
  ),
}
