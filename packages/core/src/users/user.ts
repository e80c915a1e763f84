import type { Permission } from '../access/permissions.js'

/** What a person is there for. */
export const roles = ['administration', 'gestion', 'atelier', 'lecture'] as const
/** What decides what a person may do: see `permissionsOf`. */
export type Role = (typeof roles)[number]

/** A role is these permissions, and nothing else. */
export const permissionsOf: Readonly<Record<Role, readonly Permission[]>> = {
  administration: ['admin'],
  gestion: [
    'sav:read',
    'sav:write',
    'directory:read',
    'directory:write',
    'planning:read',
    'planning:write',
    'webhooks:read',
  ],
  atelier: ['sav:read', 'sav:close', 'directory:read', 'planning:read', 'planning:write'],
  lecture: ['sav:read', 'directory:read', 'planning:read'],
}

/** A person who works with the account's console. */
export interface User {
  /** `usr_…`, time-ordered. */
  readonly id: string
  readonly account_id: string
  readonly nom: string
  /** In lower case; nobody else of the account has it. */
  readonly email: string
  readonly role: Role
  /** The installer that this person is. */
  readonly poseur_id: number | null
  readonly date_creation: string
  /** From then on nobody signs in as this person. */
  readonly desactive_le: string | null
  readonly derniere_connexion: string | null
}

/** A public key by whose private half a person signs in (WebAuthn Level 3). */
export interface Passkey {
  /** `psk_…`, time-ordered. */
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  readonly nom: string
  /** As its authenticator calls it, base64url: no two passkeys have the same. */
  readonly credential_id: string
  /** COSE, base64url. */
  readonly public_key: string
  /** What the authenticator last counted; 0 where it does not count. */
  readonly compteur: number
  /** How browsers reach the authenticator, as it said itself: `internal`, `hybrid` … */
  readonly transports: readonly string[]
  readonly date_creation: string
  readonly derniere_utilisation: string | null
}
