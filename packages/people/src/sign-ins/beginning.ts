import { SignInRefusedError, type Write } from '@sav/core'
import {
  isSecret,
  type KnownCredentials,
  type NewId,
  type Reads,
  secretOf,
  sha256Of,
  toInstant,
} from '@sav/core/feature'
import type { Clock, Random, Transaction } from '@sav/core/ports'
import type { SessionRecord, SessionView, SignInAttempt, SignInMethod } from '../sessions/session.js'
import { type KnownSession, sessionStore } from '../sessions/session-store.js'
import { sessionView } from '../sessions/sessions.js'
import type { User } from '../users/user.js'
import { userStore } from '../users/user-store.js'

/** The browser of a sign-in. */
export interface Device {
  readonly ip: string
  /** The browser's description of itself. */
  readonly appareil: string
  /** The secret of the browser's previous session. It ends in the transaction that begins the next one. */
  readonly replaced?: string | null
}

/** A successful sign-in. Only this answer contains the secret of the session. */
export interface NewSession {
  readonly secret: string
  readonly session: SessionView
  readonly user: User
}

export interface BeginningDeps {
  readonly reads: Reads
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly newId: NewId
  readonly knownSessions: KnownCredentials<KnownSession>
}

const maxAppareil = 200

/** 32 random bytes, base64url. */
export const newChallenge = (random: Random): string => Buffer.from(random(32)).toString('base64url')

export const isActive = ({ desactive_le }: User): boolean => desactive_le === null

/** @throws SignInRefusedError for an unknown or expired attempt */
export function standing(attempt: SignInAttempt | null, clock: Pick<Clock, 'now'>): SignInAttempt {
  if (attempt === null || attempt.expire_a <= toInstant(clock.now())) throw new SignInRefusedError('expired')
  return attempt
}

async function end(tx: Transaction, secret: string): Promise<void> {
  if (!isSecret('session', secret)) return
  const found = await tx.of(sessionStore).findByHash(sha256Of(secret))
  if (found !== null) await tx.of(sessionStore).end(found.session.account_id, found.session.user_id, found.session.id)
}

/** The last steps of every way to sign in. */
export function lastSteps({ reads, clock, random, newId, knownSessions }: BeginningDeps) {
  return {
    /** Looks up a token before the transaction, so that guesses cost no transaction. @throws SignInRefusedError */
    given: async (secret: string, methode: SignInAttempt['methode']): Promise<SignInAttempt> =>
      standing(await reads.of(sessionStore).findAttempt(sha256Of(secret), methode), clock),

    /** Uses up a token, once. @throws SignInRefusedError */
    taken: async (tx: Transaction, secret: string, methode: SignInAttempt['methode']): Promise<SignInAttempt> =>
      standing(await tx.of(sessionStore).takeAttempt(sha256Of(secret), methode), clock),

    /** @throws SignInRefusedError for an unknown or disabled user */
    async begin(tx: Transaction, user: User | null, methode: SignInMethod, device: Device): Promise<NewSession> {
      if (user === null || !isActive(user)) throw new SignInRefusedError()
      const { account_id, id: user_id } = user
      if ((await tx.accounts.find(account_id))?.desactive_le !== null) throw new SignInRefusedError()
      const secret = secretOf('session', random(32))
      const at = toInstant(clock.now())
      const session: SessionRecord = {
        id: newId('ses'),
        account_id,
        user_id,
        hash: sha256Of(secret),
        methode,
        ip: device.ip,
        appareil: device.appareil.slice(0, maxAppareil).toWellFormed(),
        date_creation: at,
        derniere_utilisation: at,
        appareil_terrain: null,
        en_attente: null,
      }
      await end(tx, device.replaced ?? '')
      await tx.of(sessionStore).add(session)
      await tx.of(userStore).update(account_id, user_id, { derniere_connexion: at })
      return { secret, session: sessionView(session, user), user }
    },

    /** Makes the cache drop the session that a sign-in replaced, after the commit of the sign-in. */
    replacing: <Result>({ replaced }: Device, write: Write<Result>): Write<Result> => ({
      ...write,
      committed: () => knownSessions.forgetSecret(replaced ?? ''),
    }),
  }
}
