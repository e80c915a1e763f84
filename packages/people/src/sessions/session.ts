import { examples, hourMs, instant, lazily, line, named, type Shape } from '@sav/core/feature'
import * as z from 'zod'
import type { Inputs } from '../input-types.gen.js'

/** How a session began: a link that works once, a passkey (WebAuthn), or an identity provider (OpenID Connect). */
export const signInMethods = ['invitation', 'passkey', 'oidc'] as const
/** How a session began. */
export type SignInMethod = (typeof signInMethods)[number]

export const sessionShape = named(
  'Session',
  () =>
    z.object({
      id: z.string().describe('`ses_…`'),
      methode: z.enum(signInMethods),
      ip: z.string().describe('The IP address from which the session began.'),
      appareil: z.string().describe('The browser’s User-Agent.'),
      date_creation: instant(),
      derniere_utilisation: instant().describe('When the session was last used, to the minute.'),
      expire_a: instant().describe('When the session ends if it is not used again.'),
    }),
  {
    id: examples.session,
    methode: 'passkey',
    ip: '192.0.2.7',
    appareil: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    date_creation: examples.instant,
    derniere_utilisation: examples.instant,
    expire_a: '2026-01-15T22:30:00.000Z',
  },
)
/** A session as callers see it: when, how and where it was used, but not its secret. */
export type SessionView = Shape<typeof sessionShape>

/** A user's session on one device: ids are time-ordered. */
export interface SessionRecord extends Omit<SessionView, 'expire_a'> {
  /** The name of an installer's phone; null: the session is not on one. */
  readonly appareil_terrain: string | null
  /** How many unsent writes the phone reported; null: unknown. */
  readonly en_attente: number | null
  readonly account_id: string
  readonly user_id: string
  /** SHA-256 of the whole secret, lowercase hex. The secret itself is not stored. */
  readonly hash: string
}

/** A token for one sign-in: an invitation, a challenge, a choice of accounts. */
export interface SignInAttempt {
  /** SHA-256 of the token, lowercase hex. */
  readonly hash: string
  /**
   * `enregistrement`: to register a new passkey; `choix`: to choose an account, for a person whom an identity provider
   * has verified; `fin`: the secret of a phone that the office has signed out, kept so that the phone learns of this.
   */
  readonly methode: SignInMethod | 'enregistrement' | 'choix' | 'fin'
  /** The account of the user who signs in, if the user is known in advance. */
  readonly account_id: string | null
  readonly user_id: string | null
  readonly expire_a: string
}

/** How long a session may go unused before it ends. */
export const idleMs = 12 * hourMs
/** The longest duration of a session, even with use. */
export const longestMs = 30 * 24 * hourMs
/** How long an installer's phone stays signed in without contact. */
export const deviceIdleMs = 30 * 24 * hourMs

/** A phone, as the office sees it. */
export const deviceShape = named(
  'Device',
  () =>
    z.object({
      id: z.string().describe('`ses_…`, the id of the phone’s session.'),
      nom: z.string().describe('The name that the owner gave the phone.'),
      dernier_contact: instant().describe('When the phone last called, to the minute.'),
      en_attente: z
        .int()
        .nonnegative()
        .nullable()
        .describe('How many writes the phone had not sent at its last contact; null if unknown.'),
      date_creation: instant(),
      expire_a: instant().describe('When the phone is signed out if it makes no contact before then.'),
    }),
  {
    id: examples.session,
    nom: 'Téléphone de Bruno',
    dernier_contact: examples.instant,
    en_attente: 0,
    date_creation: examples.instant,
    expire_a: '2026-02-14T10:30:00.000Z',
  },
)
/** An installer's phone. */
export type DeviceView = Shape<typeof deviceShape>

/** What a phone reports at each contact. */
export const deviceInput = lazily(() =>
  z.strictObject({
    nom: line({ min: 1, max: 60 }),
    en_attente: z.int().min(0).max(100_000).describe('How many writes the phone has not sent yet.'),
  }),
)
/** What `sessions.nameDevice` takes. */
export type DeviceInput = Inputs['device']
