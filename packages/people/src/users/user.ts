import type { Permission } from '@sav/core'
import {
  emailAddress,
  examples,
  foldEmail,
  idOf,
  instant,
  lazily,
  line,
  named,
  type PermissionDeclarations,
  type Role,
  roles,
  type Shape,
} from '@sav/core/feature'
import * as z from 'zod'
import type { Inputs } from '../input-types.gen.js'
import { issue } from '../refusals.js'

/** A role is the permissions that are declared for it, and nothing else. */
export const permissionsOfRole = (declared: PermissionDeclarations, role: Role): readonly Permission[] =>
  Object.entries(declared).flatMap(([name, { roles = [] }]) => (roles.includes(role) ? [name] : []))

/** Whether a role sees only an installer's own visits. */
export const isOfField = (role: Role): boolean => role === 'poseur'

const fields = lazily(() => ({
  nom: line({ min: 1, max: 120 }),
  email: emailAddress().overwrite(foldEmail),
  role: z.enum(roles),
  poseur_id: idOf('the person’s installer record').nullable(),
}))

/** A user who may see only their own visits must be an installer. */
export function namesItsInstaller({ role, poseur_id }: { readonly role: Role; readonly poseur_id: number | null }) {
  return role !== 'poseur' || poseur_id !== null
}

/**
 * A new user: `nom` of 1 to 120 characters after trimming; `email` is stored in lower case. `poseur_id`: the installer,
 * required for a `poseur`.
 */
export const addUserInput = lazily(() =>
  z
    .strictObject({ ...fields(), poseur_id: fields().poseur_id.default(null) })
    .refine(namesItsInstaller, { path: ['poseur_id'], message: issue('required') }),
)
/** What `users.add` takes. */
export type AddUserInput = Inputs['addUser']

/** Only the given fields change. `actif: false` ends all sessions, `true` allows sign-ins again. */
export const updateUserInput = lazily(() => z.strictObject({ ...fields(), actif: z.boolean() }).partial())
/** What `users.update` takes. */
export type UpdateUserInput = Inputs['updateUser']

export const userShape = named(
  'User',
  () =>
    z.object({
      id: z.string().describe('`usr_…`'),
      nom: z.string(),
      email: z.string().describe('In lower case, and unique in the account.'),
      role: z.enum(roles),
      poseur_id: z.int().positive().nullable().describe('The id of the person as an installer, if any.'),
      actif: z.boolean().describe('Whether this person may sign in.'),
      date_creation: instant(),
      derniere_connexion: instant().nullable(),
    }),
  {
    id: examples.user,
    nom: 'Claire Petit',
    email: 'claire@cuisines-petit.example',
    role: 'gestion',
    poseur_id: null,
    actif: true,
    date_creation: examples.instant,
    derniere_connexion: null,
  },
)
/** A user as callers see them. */
export type UserView = Shape<typeof userShape>

/** A user of the account's console, as stored: ids are time-ordered. */
export interface User extends Omit<UserView, 'actif'> {
  readonly account_id: string
  /** When the user was disabled: sign-ins are refused from then on. */
  readonly desactive_le: string | null
}

export const passkeyShape = lazily(() =>
  z.object({
    id: z.string().describe('`psk_…`'),
    nom: z.string(),
    date_creation: instant(),
    derniere_utilisation: instant().nullable(),
  }),
)
/** A passkey as callers see it: enough to tell passkeys apart. */
export type PasskeyView = Shape<typeof passkeyShape>

/** A passkey's public key (WebAuthn Level 3): ids are time-ordered. */
export interface Passkey extends PasskeyView {
  readonly account_id: string
  readonly user_id: string
  /** The id that its authenticator assigned, base64url, unique among all passkeys. */
  readonly credential_id: string
  /** COSE, base64url. */
  readonly public_key: string
  /** The last count of the authenticator; 0 if it does not count. */
  readonly compteur: number
  /** How browsers reach the authenticator, as reported by it: `internal`, `hybrid` … */
  readonly transports: readonly string[]
}
