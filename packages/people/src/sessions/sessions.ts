import { type Actor, NotFoundError, type Permission } from '@sav/core'
import {
  createKnownCredentials,
  found,
  isSecret,
  type KnownCredentials,
  type PermissionDeclarations,
  parse,
  type Reads,
  type SignedInPerson,
  sha256Of,
  toInstant,
  toMs,
  type WritesOf,
} from '@sav/core/feature'
import type { Clock } from '@sav/core/ports'
import { conflict } from '../refusals.js'
import { isOfField, type Passkey, type PasskeyView, permissionsOfRole, type User } from '../users/user.js'
import { userStore } from '../users/user-store.js'
import { endSessions, isDevice } from './ending.js'
import {
  type DeviceInput,
  type DeviceView,
  deviceIdleMs,
  deviceInput,
  idleMs,
  longestMs,
  type SessionRecord,
  type SessionView,
} from './session.js'
import { type KnownSession, sessionStore } from './session-store.js'

/** The caller, and the caller's permissions. */
export interface SignedInCaller {
  readonly user: User
  readonly session: SessionView
  /** The permissions of the user's current role. */
  readonly permissions: readonly Permission[]
}

/**
 * Users' sessions. A session ends 12 hours after its last use, and at the latest 30 days after its beginning. On an
 * installer's phone, it ends 30 days after its last use.
 */
export interface Sessions {
  /**
   * The caller of a session. Null if the secret is malformed, or the session is unknown, has ended, or belongs to a
   * disabled user. `ended device`: a phone that the office has signed out, which must erase its data. Changes made in
   * other processes apply within a second.
   */
  authenticate(secret: string): Promise<SignedInCaller | 'ended device' | null>
  /** The same, without counting as a use of the session. Null also for a phone that the office has signed out. */
  check(secret: string): Promise<SignedInCaller | null>
  /** The description of a user for pages. @throws NotFoundError */
  person(account_id: string, user_id: string): Promise<SignedInPerson>
  /** A user's sessions, newest first, without ended ones. @throws NotFoundError */
  list(account_id: string, user_id: string): Promise<SessionView[]>
  /** A user's phones, newest first. Includes silent ones for 400 days, since they may be lost. @throws NotFoundError */
  devices(account_id: string, user_id: string): Promise<DeviceView[]>
  /**
   * Marks a session as an installer's phone, or updates the phone's state. From then on, an installer's session without
   * office permissions ends 30 days after its last use.
   * @param session_id null: the caller is a key, which has none
   * @throws ValidationError, ConflictError without a session, NotFoundError when it has ended
   */
  nameDevice(actor: Actor, session_id: string | null, input: DeviceInput): Promise<DeviceView>
  /**
   * Ends all sessions of a user: at once in this process, within a second in others. Phones among them learn that the
   * office has ended them. @throws NotFoundError
   */
  endAll(actor: Actor, user_id: string): Promise<{ readonly terminees: number }>
  /** Ends one session of a user, like `endAll`. @throws NotFoundError */
  end(actor: Actor, user_id: string, id: string): Promise<void>
  /** Ends one session on its own device, which may keep its data. @throws NotFoundError */
  signOut(actor: Actor, user_id: string, id: string): Promise<void>
  /** Removes one of a user's passkeys. @throws NotFoundError */
  removePasskey(actor: Actor, user_id: string, id: string): Promise<void>
}

export function sessionView(session: SessionRecord, user: Pick<User, 'role'>): SessionView {
  const { id, methode, ip, appareil, date_creation, derniere_utilisation } = session
  return { id, methode, ip, appareil, date_creation, derniere_utilisation, expire_a: toInstant(endOf(session, user)) }
}

/** A session with office permissions ends like every session of the office, also on a phone. */
const endOf = (
  { date_creation, derniere_utilisation, appareil_terrain }: SessionRecord,
  { role }: Pick<User, 'role'>,
): number =>
  appareil_terrain !== null && isOfField(role)
    ? toMs(derniere_utilisation) + deviceIdleMs
    : Math.min(toMs(derniere_utilisation) + idleMs, toMs(date_creation) + longestMs)

function deviceView(session: SessionRecord, user: Pick<User, 'role'>): DeviceView {
  const { id, appareil_terrain, en_attente, derniere_utilisation: dernier_contact, date_creation } = session
  const expire_a = toInstant(endOf(session, user))
  return { id, nom: appareil_terrain ?? '', dernier_contact, en_attente, date_creation, expire_a }
}

export const passkeyView = ({ id, nom, date_creation, derniere_utilisation }: Passkey): PasskeyView => ({
  id,
  nom,
  date_creation,
  derniere_utilisation,
})

export const createKnownSessions = (clock: Pick<Clock, 'monotonic'>): KnownCredentials<KnownSession> =>
  createKnownCredentials(clock, {
    isWellFormed: (secret) => isSecret('session', secret),
    hashOf: ({ session }) => session.hash,
  })

export interface SessionQueriesDeps {
  readonly reads: Reads
  readonly clock: Pick<Clock, 'now'>
  readonly knownSessions: KnownCredentials<KnownSession>
  readonly permissions: PermissionDeclarations
  /** Called for each session that was accepted. */
  readonly sessionUsed: (session: Pick<SessionRecord, 'account_id' | 'id'>) => void
}

export function sessionQueries(
  deps: SessionQueriesDeps,
): Pick<Sessions, 'authenticate' | 'check' | 'person' | 'list' | 'devices'> {
  const { reads, clock, knownSessions, sessionUsed } = deps
  async function standing(secret: string) {
    const known = await knownSessions.find(secret, (hash) => reads.of(sessionStore).findByHash(hash))
    if (known === null || known.user.desactive_le !== null) return null
    return endOf(known.session, known.user) <= clock.now() ? null : known
  }
  const isEndedDevice = async (secret: string) =>
    isSecret('session', secret) && (await reads.of(sessionStore).findAttempt(sha256Of(secret), 'fin')) !== null
  const signedIn = (user: User, session: SessionRecord): SignedInCaller => ({
    user,
    session: sessionView(session, user),
    permissions: permissionsOfRole(deps.permissions, user.role),
  })
  return {
    async authenticate(secret) {
      const known = await standing(secret)
      if (known === null) return (await isEndedDevice(secret)) ? 'ended device' : null
      sessionUsed(known.session)
      return signedIn(known.user, { ...known.session, derniere_utilisation: toInstant(clock.now()) })
    },
    async check(secret) {
      const known = await standing(secret)
      return known && signedIn(known.user, known.session)
    },
    async person(account_id, user_id) {
      const user = found(await reads.of(userStore).find(account_id, user_id), 'user', user_id)
      const { id, nom, email, role, poseur_id } = user
      const passkeys = (await reads.of(userStore).passkeys(account_id, user_id)).map(passkeyView)
      return { id, nom, email, role, poseur_id, passkeys }
    },
    async list(account_id, user_id) {
      const user = found(await reads.of(userStore).find(account_id, user_id), 'user', user_id)
      const sessions = await reads.of(sessionStore).ofUser(account_id, user_id)
      return sessions
        .filter((session) => endOf(session, user) > clock.now())
        .map((session) => sessionView(session, user))
    },
    async devices(account_id, user_id) {
      const user = found(await reads.of(userStore).find(account_id, user_id), 'user', user_id)
      const sessions = await reads.of(sessionStore).ofUser(account_id, user_id)
      return sessions.filter(isDevice).map((session) => deviceView(session, user))
    },
  }
}

export function sessionWrites({
  clock,
  knownSessions,
}: Pick<SessionQueriesDeps, 'clock' | 'knownSessions'>): WritesOf<
  Sessions,
  'nameDevice' | 'endAll' | 'end' | 'signOut' | 'removePasskey'
> {
  return {
    nameDevice({ account_id, id: user_id }, id, input) {
      const { nom, en_attente } = parse(deviceInput, input)
      if (id === null) throw conflict('key_has_no_device')
      return {
        async write(tx) {
          const user = found(await tx.of(userStore).find(account_id, user_id ?? ''), 'user', user_id ?? '')
          const sessions = await tx.of(sessionStore).ofUser(account_id, user.id)
          const session = found(sessions.find((each) => each.id === id) ?? null, 'session', id)
          const device = { appareil_terrain: nom, en_attente, derniere_utilisation: toInstant(clock.now()) }
          await tx.of(sessionStore).setDevice(account_id, id, device)
          return deviceView({ ...session, ...device }, user)
        },
        committed: () => knownSessions.forget(({ user }) => user.id === user_id),
      }
    },
    endAll: ({ account_id }, user_id) => ({
      async write(tx) {
        found(await tx.of(userStore).find(account_id, user_id), 'user', user_id)
        const ended = await endSessions(tx, { account_id, user_id }, { clock, which: () => true })
        return { terminees: ended }
      },
      committed: () => knownSessions.forget(({ user }) => user.id === user_id),
    }),
    end: ({ account_id }, user_id, id) => ({
      async write(tx) {
        const ended = await endSessions(tx, { account_id, user_id }, { clock, which: (each) => each.id === id })
        if (ended === 0) throw new NotFoundError('session', id)
      },
      committed: () => knownSessions.forget(({ user }) => user.id === user_id),
    }),
    signOut: ({ account_id }, user_id, id) => ({
      async write(tx) {
        if ((await tx.of(sessionStore).end(account_id, user_id, id)) === 0) throw new NotFoundError('session', id)
      },
      committed: () => knownSessions.forget(({ user }) => user.id === user_id),
    }),
    removePasskey: ({ account_id }, user_id, id) => ({
      async write(tx) {
        if (!(await tx.of(userStore).removePasskey(account_id, user_id, id))) throw new NotFoundError('passkey', id)
      },
    }),
  }
}
