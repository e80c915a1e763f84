import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import type { Clock } from '../clock.js'
import { ConflictError, found, SignInRefusedError } from '../errors.js'
import type { NewId } from '../ids.js'
import { sha256Of } from '../node-crypto.js'
import type { Random } from '../random.js'
import type { Reads, Transaction } from '../storage.js'
import { toInstant } from '../time.js'
import { parse, shortText, text } from '../validation.js'
import { preparedWrite, type Write, type WritesOf } from '../write.js'
import type { IdentityProvider, OidcExchange } from './identity-provider.js'
import type { BrowserAnswer, PasskeyVerifier, RelyingParty } from './passkey-verifier.js'
import { isSecret, newSecret } from './secrets.js'
import type { SessionRecord, SignInAttempt, SignInMethod } from './session.js'
import { type PasskeyView, passkeyView, type SessionView, sessionView } from './sessions.js'
import type { Passkey, User } from './user.js'

/** Whence somebody signs in. */
export interface Device {
  readonly ip: string
  /** What the browser says of itself. */
  readonly appareil: string
}

/** Somebody who has just signed in: the secret of the session is here, and nowhere else ever after. */
export interface Begun {
  readonly secret: string
  readonly session: SessionView
  readonly user: User
}

export const invitationInput = z.strictObject({ token: shortText(200) })
const browserAnswer = z.record(z.string(), z.unknown())
export const passkeyInput = z.strictObject({ response: browserAnswer })
export const newPasskeyInput = z.strictObject({
  response: browserAnswer,
  nom: text({ min: 1, max: 120 }).default('Passkey'),
})

/** How people sign in. Whatever is refused says no more than `SignInRefusedError`. */
export interface SignIns {
  /** Whether an identity provider is there. */
  readonly oidc: boolean
  /** Whether passkeys can be checked. */
  readonly passkeys: boolean
  /** By the token of an invitation, which is then used. @throws ValidationError, SignInRefusedError */
  byInvitation(input: unknown, device: Device): Promise<Begun>
  /** What to ask a browser for a passkey, whosever it is. To be answered once, within 5 minutes. */
  askPasskey(at: RelyingParty): Promise<object>
  /** By the answer to `askPasskey`. @throws ValidationError, SignInRefusedError */
  byPasskey(input: unknown, at: RelyingParty, device: Device): Promise<Begun>
  /** What to ask a browser for a new passkey. To be answered once, within 5 minutes. @throws NotFoundError */
  askNewPasskey(actor: Actor, user_id: string, at: RelyingParty): Promise<object>
  /** By the answer to `askNewPasskey`. @throws ValidationError, SignInRefusedError, ConflictError when it is there already */
  addPasskey(actor: Actor, user_id: string, input: unknown, at: RelyingParty): Promise<PasskeyView>
  /**
   * Where a browser is to go, and the secret that it must bring back: to the person's account `compte`, or without it to
   * the one that knows them. Within 10 minutes.
   * @throws UnavailableError when the provider cannot be asked
   */
  askOidc(redirect_uri: string, compte: string | null): Promise<{ readonly url: string; readonly secret: string }>
  /**
   * By what a browser brought back: the secret, and the query of the address. Somebody who has the address that the
   * provider has verified; it makes nobody.
   * @throws SignInRefusedError, UnavailableError
   */
  byOidc(
    back: { readonly secret: string; readonly search: string; readonly redirect_uri: string },
    device: Device,
  ): Promise<Begun>
}

const minuteMs = 60_000
const passkeyMs = 5 * minuteMs
const oidcMs = 10 * minuteMs
const maxAppareil = 200

/** What a browser says that it answers; what is no answer names nothing. */
function challengeIn(answer: BrowserAnswer): string {
  const { data } = z.object({ response: z.object({ clientDataJSON: shortText(10_000) }) }).safeParse(answer)
  if (data === undefined) throw new SignInRefusedError()
  try {
    const said = z.object({ challenge: shortText(200) })
    return said.parse(JSON.parse(Buffer.from(data.response.clientDataJSON, 'base64url').toString())).challenge
  } catch (cause) {
    throw new SignInRefusedError('refused', { cause })
  }
}

/** Of one secret, which the browser alone has; whoever learns one of the others learns none of the rest. */
function exchangeOf(secret: string, redirect_uri: string): OidcExchange {
  const derived = (purpose: string) => sha256Of(`sav oidc ${purpose} ${secret}`, 'base64url')
  return { redirect_uri, state: derived('state'), nonce: derived('nonce'), code_verifier: derived('verifier') }
}

export interface SignInDeps {
  readonly reads: Reads
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly newId: NewId
  readonly passkeyVerifier: PasskeyVerifier | null
  readonly identityProvider: IdentityProvider | null
}

export type SignInWrites = WritesOf<SignIns, Exclude<keyof SignIns, 'oidc' | 'passkeys'>>

export function signInWrites(deps: SignInDeps): SignInWrites {
  const { reads, clock, random, newId, passkeyVerifier, identityProvider } = deps
  const inMs = (ms: number) => toInstant(clock.now() + ms)
  const newChallenge = () => Buffer.from(random(32)).toString('base64url')

  const keeping = <Result>(attempt: SignInAttempt, result: Result): Write<Result> => ({
    async write(tx) {
      await tx.sessions.addAttempt(attempt)
      return result
    },
  })

  /** What was given out is taken back, once. @throws SignInRefusedError */
  async function taken(tx: Transaction, secret: string, methode: SignInAttempt['methode']): Promise<SignInAttempt> {
    const attempt = await tx.sessions.takeAttempt(sha256Of(secret), methode)
    if (attempt === null || attempt.expire_a <= toInstant(clock.now())) throw new SignInRefusedError('expired')
    return attempt
  }

  /** @throws SignInRefusedError for nobody, and for somebody who is disabled */
  async function begin(
    tx: Transaction,
    user: User | null,
    methode: SignInMethod,
    { ip, appareil }: Device,
  ): Promise<Begun> {
    if (user === null || user.desactive_le !== null) throw new SignInRefusedError()
    const { account_id, id: user_id } = user
    const secret = newSecret('session', random)
    const at = toInstant(clock.now())
    const session: SessionRecord = {
      id: newId('ses'),
      account_id,
      user_id,
      hash: sha256Of(secret),
      methode,
      ip,
      appareil: appareil.slice(0, maxAppareil).toWellFormed(),
      date_creation: at,
      derniere_utilisation: at,
    }
    await tx.sessions.add(session)
    await tx.users.update(account_id, user_id, { derniere_connexion: at })
    return { secret, session: sessionView(session), user }
  }

  function verifier(): PasskeyVerifier {
    if (passkeyVerifier === null) throw new ConflictError('Nobody checks passkeys here.')
    return passkeyVerifier
  }
  function provider(): IdentityProvider {
    if (identityProvider === null) throw new ConflictError('There is no identity provider here.')
    return identityProvider
  }

  return {
    byInvitation(input, device) {
      const { token } = parse(invitationInput, input)
      return {
        async write(tx) {
          if (!isSecret('invitation', token)) throw new SignInRefusedError()
          const { account_id, user_id } = await taken(tx, token, 'invitation')
          if (account_id === null || user_id === null) throw new SignInRefusedError()
          // A letter that was sent twice brought two.
          await tx.sessions.forgetAttempts(account_id, user_id)
          return begin(tx, await tx.users.find(account_id, user_id), 'invitation', device)
        },
      }
    },

    askPasskey({ rp_id }) {
      const challenge = newChallenge()
      const attempt = { hash: sha256Of(challenge), methode: 'passkey', account_id: null, user_id: null } as const
      return preparedWrite({
        prepare: () => verifier().requestOptions({ rp_id, challenge }),
        write: (tx, options) => keeping({ ...attempt, expire_a: inMs(passkeyMs) }, options).write(tx, undefined),
      })
    },

    byPasskey(input, at, device) {
      const { response } = parse(passkeyInput, input)
      const challenge = challengeIn(response)
      return preparedWrite({
        async prepare() {
          const passkey = await reads.users.findPasskey(String(response['id']))
          if (passkey === null) throw new SignInRefusedError()
          const verified = await verifier().verifyRequest(response, { ...at, challenge, passkey })
          if (verified === null) throw new SignInRefusedError()
          return { passkey, compteur: verified.compteur }
        },
        async write(tx, { passkey, compteur }) {
          await taken(tx, challenge, 'passkey')
          const { account_id, id, user_id } = passkey
          // It may have been removed since it was read.
          const now = (await tx.users.passkeys(account_id, user_id)).find((each) => each.id === id)
          if (now === undefined || (now.compteur > 0 && compteur <= now.compteur)) throw new SignInRefusedError()
          await tx.users.usePasskey({ account_id, id, compteur, derniere_utilisation: toInstant(clock.now()) })
          return begin(tx, await tx.users.find(account_id, user_id), 'passkey', device)
        },
      })
    },

    askNewPasskey({ account_id }, user_id, { rp_id }) {
      const challenge = newChallenge()
      const attempt = { hash: sha256Of(challenge), methode: 'enregistrement', account_id, user_id } as const
      return preparedWrite({
        async prepare() {
          const user = found(await reads.users.find(account_id, user_id), 'user', user_id)
          const existing = await reads.users.passkeys(account_id, user_id)
          return verifier().creationOptions({ rp_id, challenge, user, existing })
        },
        write: (tx, options) => keeping({ ...attempt, expire_a: inMs(passkeyMs) }, options).write(tx, undefined),
      })
    },

    addPasskey({ account_id }, user_id, input, at) {
      const { response, nom } = parse(newPasskeyInput, input)
      const challenge = challengeIn(response)
      return preparedWrite({
        async prepare() {
          const verified = await verifier().verifyCreation(response, { ...at, challenge })
          if (verified === null) throw new SignInRefusedError()
          return verified
        },
        async write(tx, verified) {
          const attempt = await taken(tx, challenge, 'enregistrement')
          // Whoever was asked must be the one who answers.
          if (attempt.account_id !== account_id || attempt.user_id !== user_id) throw new SignInRefusedError()
          const made = { nom, date_creation: toInstant(clock.now()), derniere_utilisation: null }
          const passkey: Passkey = { id: newId('psk'), account_id, user_id, ...verified, ...made }
          if (!(await tx.users.addPasskey(passkey))) throw new ConflictError('This passkey is registered already.')
          return passkeyView(passkey)
        },
      })
    },

    askOidc(redirect_uri, compte) {
      const secret = newChallenge()
      const attempt = { hash: sha256Of(secret), methode: 'oidc', account_id: compte, user_id: null } as const
      return preparedWrite({
        prepare: () => provider().authorizationUrl(exchangeOf(secret, redirect_uri)),
        write: (tx, url) => keeping({ ...attempt, expire_a: inMs(oidcMs) }, { url, secret }).write(tx, undefined),
      })
    },

    byOidc({ secret, search, redirect_uri }, device) {
      return preparedWrite({
        async prepare() {
          const exchange = exchangeOf(secret, redirect_uri)
          if (new URLSearchParams(search).get('state') !== exchange.state) throw new SignInRefusedError()
          return provider().verifiedEmail(search, exchange)
        },
        async write(tx, email) {
          const { account_id } = await taken(tx, secret, 'oidc')
          if (email === null) throw new SignInRefusedError()
          const known = (await tx.users.findByEmail(email.toLowerCase())).filter(
            (user) => user.desactive_le === null && (account_id === null || user.account_id === account_id),
          )
          const [user = null] = known
          // Of two accounts with the same address nobody can tell which one is meant.
          if (known.length !== 1) throw new SignInRefusedError('unknown_person')
          return begin(tx, user, 'oidc', device)
        },
      })
    },
  }
}
