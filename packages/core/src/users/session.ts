import * as z from 'zod'
import { permissions } from '../access/permissions.js'
import { type Input, lazily } from '../values/lazily.js'
import { examples, instant, named, type Shape } from '../values/shape.js'
import { line } from '../values/validation.js'
import { type SignInMethod, signInMethods } from '../values/vocabulary.js'
import { passkeyShape, userShape } from './user.js'

export const sessionShape = named(
  'Session',
  () =>
    z.object({
      id: z.string().describe('`ses_…`'),
      methode: z.enum(signInMethods),
      ip: z.string().describe('Whence it was begun.'),
      appareil: z.string().describe('What the browser said of itself then.'),
      date_creation: instant(),
      derniere_utilisation: instant().describe('Known to the minute.'),
      expire_a: instant().describe('When it ends, if nobody uses it before.'),
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
/** What may be shown of a session: where and when, and nothing that signs in. */
export type SessionView = Shape<typeof sessionShape>

/** A person who is signed in, on one device: ids are time-ordered. */
export interface SessionRecord extends Omit<SessionView, 'expire_a'> {
  /** The name that an installer's phone goes by; null: it is no such phone. */
  readonly appareil_terrain: string | null
  /** How many writes the phone said that it has not sent yet; null: it has said nothing. */
  readonly en_attente: number | null
  readonly account_id: string
  readonly user_id: string
  /** SHA-256 of the whole secret, lowercase hex: the secret itself is nowhere. */
  readonly hash: string
}

export const whoShape = named(
  'WhoCalls',
  () =>
    z.object({
      utilisateur: z
        .object({
          ...userShape().pick({ id: true, nom: true, email: true, role: true, poseur_id: true }).shape,
          passkeys: z.array(passkeyShape()),
        })
        .nullable()
        .describe('The person who signed in; null for a key.'),
      cle: z.object({ id: z.string(), nom: z.string() }).nullable().describe('The key; null for a person.'),
      hote: z
        .object({ id: z.string(), nom: z.string() })
        .nullable()
        .describe('The person whom the server knows that this service is embedded in; null for everybody else.'),
      permissions: z.array(z.enum(permissions)),
      compte: z.object({
        id: z.string(),
        raison_sociale: z.string().nullable(),
        fuseau: z.string().describe('IANA name of the zone whose local time the account goes by.'),
      }),
      expire_a: instant()
        .nullable()
        .describe('When the key or the session ends, if nothing ends it before; null: only its host knows.'),
    }),
  {
    utilisateur: {
      id: examples.user,
      nom: 'Claire Petit',
      email: 'claire@cuisines-petit.example',
      role: 'atelier',
      poseur_id: null,
      passkeys: [
        { id: examples.passkey, nom: 'Téléphone', date_creation: examples.instant, derniere_utilisation: null },
      ],
    },
    cle: null,
    hote: null,
    permissions: ['sav:read', 'sav:close', 'directory:read', 'planning:read', 'planning:write'],
    compte: { id: 'default', raison_sociale: 'Cuisines Petit', fuseau: 'Europe/Paris' },
    expire_a: '2026-01-15T22:30:00.000Z',
  },
)
type Who = Shape<typeof whoShape>
/** What pages say of the account: its name, and the zone of the times that they show. */
export type AccountSummary = Who['compte']
/** What a page has to know of whoever looks at it. */
export interface SignedInView {
  readonly utilisateur: NonNullable<Who['utilisateur']>
  readonly compte: AccountSummary
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
/** A phone that is used in the field stays signed in until nobody has heard of it for so long. */
export const deviceIdleMs = 30 * 24 * hourMs

export const deviceShape = named(
  'Device',
  () =>
    z.object({
      id: z.string().describe('`ses_…`: of its session.'),
      nom: z.string().describe('What its owner calls it.'),
      dernier_contact: instant().describe('Known to the minute.'),
      en_attente: z
        .int()
        .nonnegative()
        .nullable()
        .describe('How many writes it said that it had not sent yet; null: nothing.'),
      date_creation: instant(),
      expire_a: instant().describe('When it is signed out, if nobody hears of it before.'),
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
/** A phone that is used in the field. */
export type DeviceView = Shape<typeof deviceShape>

/** What a phone says of itself, at each contact. */
export const deviceInput = lazily(() =>
  z.strictObject({
    nom: line({ min: 1, max: 60 }),
    en_attente: z.int().min(0).max(100_000).describe('How many writes it has not sent yet.'),
  }),
)
/** What `sessions.nameDevice` takes. */
export type DeviceInput = Input<typeof deviceInput>
