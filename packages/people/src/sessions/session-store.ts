import { storeToken } from '@sav/core/feature'
import type { User } from '../users/user.js'
import type { SessionRecord, SignInAttempt } from './session.js'

/** Instants: sessions whose last use was before them have long ended. */
export interface SessionBounds {
  readonly before: string
  /** The instant for phones that are used in the field. */
  readonly devicesBefore: string
}

/** A session with its person. */
export interface KnownSession {
  readonly session: SessionRecord
  readonly user: User
}

/** The sessions of people. The caller decides whether a session has grown too old. */
export interface SessionReads {
  /** The session with this SHA-256 (lowercase hex) of its secret, of any person, with the person's present data. */
  findByHash(hash: string): Promise<KnownSession | null>
  /** The attempt that `takeAttempt` would take, of any age. It stays. */
  findAttempt(hash: string, methode: SignInAttempt['methode']): Promise<SignInAttempt | null>
  /** Newest first. */
  ofUser(account_id: string, user_id: string): Promise<SessionRecord[]>
  /** How many sessions were last used before their bound, and how many attempts had expired. */
  purgeable(bounds: SessionBounds): Promise<number>
}

/** Sessions, and the attempts to begin one. An ended session is gone from the commit on. */
export interface SessionWrites extends SessionReads {
  add(session: SessionRecord): Promise<void>
  /** Ends a person's sessions, or the one with this id. Resolves to how many there were. */
  end(account_id: string, user_id: string, id?: string): Promise<number>
  /** Notes that a session is a phone's, or its new state. An ended session is skipped. */
  setDevice(
    account_id: string,
    id: string,
    device: Pick<SessionRecord, 'appareil_terrain' | 'en_attente' | 'derniere_utilisation'>,
  ): Promise<void>
  /** Notes when sessions were last used. A later use that was noted before stays. Ended sessions are skipped. */
  noteUse(uses: readonly { readonly account_id: string; readonly id: string; readonly at: string }[]): Promise<void>
  /** Keeps an attempt. False if it is kept already: of two calls at once only one gets true. */
  addAttempt(attempt: SignInAttempt): Promise<boolean>
  /** Takes an attempt back, of any age. Of two calls at once only one gets it; null if it does not exist. */
  takeAttempt(hash: string, methode: SignInAttempt['methode']): Promise<SignInAttempt | null>
  /** Deletes all attempts of this person. */
  forgetAttempts(account_id: string, user_id: string): Promise<void>
  /**
   * Deletes at most `limit` sessions that were last used before their bound, and as many attempts that had expired.
   * Resolves to how many went; 0 when none is left.
   */
  purge(bounds: SessionBounds, limit: number): Promise<number>
}

/** Sessions, and attempts to begin one. */
export const sessionStore = storeToken<SessionReads, SessionWrites>('people')
