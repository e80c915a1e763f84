/** How a session began: a link that works once, a passkey (WebAuthn), or an identity provider (OpenID Connect). */
export const signInMethods = ['invitation', 'passkey', 'oidc'] as const
/** How a session began. */
export type SignInMethod = (typeof signInMethods)[number]

/** A person who is signed in, on one device. */
export interface SessionRecord {
  /** `ses_…`, time-ordered. */
  readonly id: string
  readonly account_id: string
  readonly user_id: string
  /** SHA-256 of the whole secret, lowercase hex: the secret itself is nowhere. */
  readonly hash: string
  readonly methode: SignInMethod
  /** Whence it was begun. */
  readonly ip: string
  /** What the browser said of itself then, cut. */
  readonly appareil: string
  readonly date_creation: string
  /** Known to the minute. */
  readonly derniere_utilisation: string
}

/** What somebody was given to sign in with, once: an invitation, a question that an answer must repeat, a choice of accounts. */
export interface SignInAttempt {
  /** SHA-256 of what was given, lowercase hex. */
  readonly hash: string
  /** `enregistrement`: of a new passkey; `choix`: of an account, by whom an identity provider has verified. */
  readonly methode: SignInMethod | 'enregistrement' | 'choix'
  /** Whom it is for, where that is known before. */
  readonly account_id: string | null
  readonly user_id: string | null
  readonly expire_a: string
}

const hourMs = 3_600_000
/** A session that nobody uses for so long has ended. */
export const idleMs = 12 * hourMs
/** A session lasts no longer, however it is used. */
export const longestMs = 30 * 24 * hourMs
