import { storeToken } from '@sav/core/feature'
import type { User } from '../users/user.js'
import type { SessionRecord, SignInAttempt } from './session.js'

/** Instants for a purge: a session that was last used before its instant ended long ago. */
export interface SessionBounds {
  readonly before: string
  /** The instant for installers' phones. */
  readonly devicesBefore: string
}

/** A session with its user. */
export interface KnownSession {
  readonly session: SessionRecord
  readonly user: User
}

/** Users' sessions. The caller decides whether a session is too old. */
export interface SessionReads {
  /** The session with this SHA-256 (lowercase hex) of its secret, of any user, with the user's current data. */
  findByHash(hash: string): Promise<KnownSession | null>
  /** The attempt that `takeAttempt` would take, of any age, without taking it. */
  findAttempt(hash: string, methode: SignInAttempt['methode']): Promise<SignInAttempt | null>
  /** A user's sessions, newest first. */
  ofUser(account_id: string, user_id: string): Promise<SessionRecord[]>
  /** The number of sessions last used before their bound, plus expired attempts. */
  purgeable(bounds: SessionBounds): Promise<number>
}

/** Sessions, and the attempts to begin one. An ended session is deleted. */
export interface SessionWrites extends SessionReads {
  add(session: SessionRecord): Promise<void>
  /** Ends a user's sessions, or the one with this id. Resolves to their number. */
  end(account_id: string, user_id: string, id?: string): Promise<number>
  /** Marks a session as a phone's, or updates its state. An ended session is skipped. */
  setDevice(
    account_id: string,
    id: string,
    device: Pick<SessionRecord, 'appareil_terrain' | 'en_attente' | 'derniere_utilisation'>,
  ): Promise<void>
  /** Records when sessions were last used. An earlier use never replaces a later one. Ended sessions are skipped. */
  noteUse(uses: readonly { readonly account_id: string; readonly id: string; readonly at: string }[]): Promise<void>
  /** Keeps an attempt. Resolves to false if it is already kept: of two concurrent calls, only one gets true. */
  addAttempt(attempt: SignInAttempt): Promise<boolean>
  /** Takes an attempt of any age. Of two concurrent calls, only one gets it; null if it does not exist. */
  takeAttempt(hash: string, methode: SignInAttempt['methode']): Promise<SignInAttempt | null>
  /** Deletes all attempts of this user. */
  forgetAttempts(account_id: string, user_id: string): Promise<void>
  /**
   * Deletes at most `limit` sessions last used before their bound, and as many expired attempts. Resolves to the number
   * deleted; 0 when none is left.
   */
  purge(bounds: SessionBounds, limit: number): Promise<number>
}

/** Sessions, and attempts to begin one. */
export const sessionStore = storeToken<SessionReads, SessionWrites>('people')
