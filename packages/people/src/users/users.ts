import { type Actor, ValidationError } from '@sav/core'
import {
  found,
  type Hooks,
  isAllowed,
  type KnownCredentials,
  type KnownPerson,
  type PermissionDeclarations,
  parse,
  poseurFault,
  type Reads,
  toInstant,
  type WritesOf,
} from '@sav/core/feature'
import type { Transaction } from '@sav/core/ports'
import { conflict, fieldProblem } from '../refusals.js'
import { endSessions, isDevice } from '../sessions/ending.js'
import { type KnownSession, sessionStore } from '../sessions/session-store.js'
import { type InvitationDeps, type Invitations, invitationWrites } from './invitations.js'
import {
  type AddUserInput,
  addUserInput,
  namesItsInstaller,
  permissionsOfRole,
  type UpdateUserInput,
  type User,
  type UserView,
  updateUserInput,
} from './user.js'
import { userStore } from './user-store.js'

/** Users of the console. A user who leaves is disabled, never deleted: history shows the name. */
export interface Users extends Invitations {
  /** @throws ValidationError, ConflictError when a user of the account has the e-mail address */
  add(actor: Actor, input: AddUserInput): Promise<UserView>
  /** The account's users, by `nom`. */
  list(account_id: string): Promise<UserView[]>
  /** @throws NotFoundError */
  get(account_id: string, id: string): Promise<UserView>
  /**
   * Replaces the given fields: at once in this process, within a second in others. Disabling a user ends all sessions,
   * the invitation and the addresses of calendars. A phone is signed out when its user may no longer use it.
   * @throws ValidationError, NotFoundError, ConflictError when another user of the account has the e-mail address, and
   *   when no administrator would be left
   */
  update(actor: Actor, id: string, input: UpdateUserInput): Promise<UserView>
}

const userView = ({ account_id: _, desactive_le, ...user }: User): UserView => ({
  ...user,
  actif: desactive_le === null,
})

export function userQueries({ reads }: { readonly reads: Reads }): Pick<Users, 'list' | 'get'> {
  return {
    list: async (account_id) => (await reads.of(userStore).list(account_id)).map(userView),
    get: async (account_id, id) => userView(found(await reads.of(userStore).find(account_id, id), 'user', id)),
  }
}

/** A user, for features that show users. */
export const knownPerson = (
  { account_id, id, role, desactive_le }: User,
  declared: PermissionDeclarations,
): KnownPerson => ({
  account_id,
  id,
  permissions: desactive_le === null ? permissionsOfRole(declared, role) : [],
})

const isAdministrator = ({ role, desactive_le }: User) => role === 'administration' && desactive_le === null

/**
 * Keeps at least one administrator. The account's lock makes concurrent changes wait for each other. @throws
 * ConflictError
 */
async function keepAnAdministrator(tx: Transaction, { account_id, id, nom }: User): Promise<void> {
  found(await tx.accounts.find(account_id), 'account', account_id)
  const users = await tx.of(userStore).list(account_id)
  if (users.some((user) => user.id !== id && isAdministrator(user))) return
  throw conflict('last_administrator', { nom })
}

export interface UserWritesDeps extends InvitationDeps {
  readonly knownSessions: KnownCredentials<KnownSession>
  readonly personChanges: Hooks['personChanges']
  readonly permissions: PermissionDeclarations
}

export function userWrites(deps: UserWritesDeps): WritesOf<Users, 'add' | 'update' | 'invite'> {
  const { clock, newId, knownSessions, personChanges, permissions } = deps
  const taken = (email: string) => conflict('user_email_taken', { email })

  async function checkPoseur(tx: Transaction, account_id: string, poseur_id: number | null | undefined) {
    if (poseur_id === null || poseur_id === undefined) return
    const fault = poseurFault(await tx.directory.findPoseur(account_id, poseur_id), poseur_id)
    if (fault !== null) throw new ValidationError([{ field: 'poseur_id', ...fault }])
  }

  return {
    add({ account_id }, input) {
      const fields = parse(addUserInput, input)
      return {
        async write(tx) {
          const date_creation = toInstant(clock.now())
          const state = { date_creation, desactive_le: null, derniere_connexion: null }
          const user: User = { id: newId('usr'), account_id, ...fields, ...state }
          found(await tx.accounts.find(account_id), 'account', account_id)
          await checkPoseur(tx, account_id, fields.poseur_id)
          if (!(await tx.of(userStore).add(user))) throw taken(user.email)
          return userView(user)
        },
      }
    },

    update({ account_id }, id, input) {
      const { actif, ...fields } = parse(updateUserInput, input)
      return {
        async write(tx) {
          const before = found(await tx.of(userStore).find(account_id, id), 'user', id)
          await checkPoseur(tx, account_id, fields.poseur_id)
          const { role = before.role, poseur_id = before.poseur_id } = fields
          if (!namesItsInstaller({ role, poseur_id }))
            throw new ValidationError([fieldProblem('poseur_id', 'required')])
          const stepsDown = isAdministrator(before) && (actif === false || role !== before.role)
          if (stepsDown) await keepAnAdministrator(tx, before)
          const at = toInstant(clock.now())
          const desactive_le = actif === undefined ? undefined : actif ? null : (before.desactive_le ?? at)
          if (!(await tx.of(userStore).update(account_id, id, { ...fields, desactive_le })))
            throw taken(fields.email ?? '')
          const after = found(await tx.of(userStore).find(account_id, id), 'user', id)
          const keepsPhones = isAllowed(permissionsOfRole(permissions, after.role), 'terrain')
          const which = actif === false ? () => true : isDevice
          if (actif === false || !keepsPhones) await endSessions(tx, { account_id, user_id: id }, { clock, which })
          if (actif === false) await tx.of(sessionStore).forgetAttempts(account_id, id)
          await personChanges(tx, knownPerson(after, permissions))
          return userView(after)
        },
        committed: () => knownSessions.forget(({ user }) => user.id === id),
      }
    },

    ...invitationWrites(deps),
  }
}
