import type { KnownCredentials } from '../access/known-credentials.js'
import { isSecret, secretOf } from '../crypto/prefixed-secrets.js'
import { SignInRefusedError } from '../errors.js'
import { sha256Of } from '../node-crypto.js'
import type { Reads, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { NewId } from '../values/ids.js'
import type { Random } from '../values/random.js'
import type { SignInMethod } from '../values/vocabulary.js'
import type { Write } from '../write.js'
import type { SessionRecord, SessionView, SignInAttempt } from './session.js'
import type { KnownSession } from './session-store.js'
import { sessionView } from './sessions.js'
import type { User } from './user.js'

/** The browser with which somebody signs in. */
export interface Device {
  readonly ip: string
  /** The browser's description of itself. */
  readonly appareil: string
  /** The secret of the session that the browser had until now. It ends in the transaction that begins the next one. */
  readonly replaced?: string | null
}

/** A sign-in that has just succeeded. Only this answer has the secret of the session. */
export interface NewSession {
  readonly secret: string
  readonly session: SessionView
  readonly user: User
}

export interface BeginningDeps {
  readonly reads: Pick<Reads, 'sessions'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly newId: NewId
  readonly knownSessions: KnownCredentials<KnownSession>
}

const maxAppareil = 200

/** 32 random bytes, base64url. */
export const newChallenge = (random: Random): string => Buffer.from(random(32)).toString('base64url')

export const isActive = ({ desactive_le }: User): boolean => desactive_le === null

/** @throws SignInRefusedError for an unknown one, and for an expired one */
export function standing(attempt: SignInAttempt | null, clock: Pick<Clock, 'now'>): SignInAttempt {
  if (attempt === null || attempt.expire_a <= toInstant(clock.now())) throw new SignInRefusedError('expired')
  return attempt
}

async function end(tx: Transaction, secret: string): Promise<void> {
  if (!isSecret('session', secret)) return
  const found = await tx.sessions.findByHash(sha256Of(secret))
  if (found !== null) await tx.sessions.end(found.session.account_id, found.session.user_id, found.session.id)
}

/** The last steps of every way to sign in. */
export function lastSteps({ reads, clock, random, newId, knownSessions }: BeginningDeps) {
  return {
    /** Looks for what was given out, so that a guess costs no transaction. @throws SignInRefusedError */
    given: async (secret: string, methode: SignInAttempt['methode']): Promise<SignInAttempt> =>
      standing(await reads.sessions.findAttempt(sha256Of(secret), methode), clock),

    /** Takes back what was given out, once. @throws SignInRefusedError */
    taken: async (tx: Transaction, secret: string, methode: SignInAttempt['methode']): Promise<SignInAttempt> =>
      standing(await tx.sessions.takeAttempt(sha256Of(secret), methode), clock),

    /** @throws SignInRefusedError for an unknown person, and for a disabled one */
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
      await tx.sessions.add(session)
      await tx.users.update(account_id, user_id, { derniere_connexion: at })
      return { secret, session: sessionView(session, user), user }
    },

    /** The same sign-in. After its commit the cache forgets the session that it replaced. */
    replacing: <Result>({ replaced }: Device, write: Write<Result>): Write<Result> => ({
      ...write,
      committed: () => knownSessions.forgetSecret(replaced ?? ''),
    }),
  }
}
