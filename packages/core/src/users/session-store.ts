import type { SessionRecord, SignInAttempt } from './session.js'
import type { User } from './user.js'

/** Instants, before which sessions that were last used then have long ended. */
export interface SessionBounds {
  readonly before: string
  /** Of phones that are used in the field. */
  readonly devicesBefore: string
}

/** Where people are signed in. Whether a session has grown too old is for the caller to tell. */
export interface SessionReads {
  /** By the SHA-256 (lowercase hex) of its secret, whosever it is, with the person as they are now. */
  findByHash(hash: string): Promise<{ readonly session: SessionRecord; readonly user: User } | null>
  /** What `takeAttempt` would take, whatever its age: it stays. */
  findAttempt(hash: string, methode: SignInAttempt['methode']): Promise<SignInAttempt | null>
  /** Newest first. */
  ofUser(account_id: string, user_id: string): Promise<SessionRecord[]>
  /** How many sessions were last used before their bound, and how many attempts had expired. */
  purgeable(bounds: SessionBounds): Promise<number>
}

/** Sessions, and the attempts to begin one. A session that was ended is gone at once, from the commit on. */
export interface SessionWrites extends SessionReads {
  add(session: SessionRecord): Promise<void>
  /** Ends a person's sessions, or the one with this id. Resolves to how many there were. */
  end(account_id: string, user_id: string, id?: string): Promise<number>
  /** Says of a session that it is a phone's, or how that is now. One that has ended is passed over. */
  setDevice(
    account_id: string,
    id: string,
    device: Pick<SessionRecord, 'appareil_terrain' | 'en_attente' | 'derniere_utilisation'>,
  ): Promise<void>
  /** Notes when sessions were last used; a later use that is noted already stays. Ended ones are passed over. */
  noteUse(uses: readonly { readonly account_id: string; readonly id: string; readonly at: string }[]): Promise<void>
  /** Keeps what somebody was given, or has used. False where it is kept already: of two at once one alone is told true. */
  addAttempt(attempt: SignInAttempt): Promise<boolean>
  /** Takes what was given back, whatever its age, so that of two at once one alone gets it; null when it is not there. */
  takeAttempt(hash: string, methode: SignInAttempt['methode']): Promise<SignInAttempt | null>
  /** Forgets whatever this person was given. */
  forgetAttempts(account_id: string, user_id: string): Promise<void>
  /**
   * Deletes at most `limit` sessions that were last used before their bound, and as many attempts that had expired.
   * Resolves to how many went; 0 when none is left.
   */
  purge(bounds: SessionBounds, limit: number): Promise<number>
}
