import { type Actor, SignInRefusedError } from '@sav/core'
import {
  type AccountSummary,
  found,
  isSecret,
  lazily,
  line,
  parse,
  preparedWrite,
  sha256Of,
  shortText,
  toInstant,
  type WritesOf,
} from '@sav/core/feature'
import * as z from 'zod'
import { conflict } from '../refusals.js'
import { sessionStore } from '../sessions/session-store.js'
import { passkeyView } from '../sessions/sessions.js'
import type { Passkey, PasskeyView, User } from '../users/user.js'
import { userStore } from '../users/user-store.js'
import { type Device, isActive, lastSteps, type NewSession, newChallenge, standing } from './beginning.js'
import { type OidcSignInDeps, type OidcSignIns, oidcQueries, oidcWrites } from './oidc-sign-ins.js'
import type { BrowserAnswer, PasskeyVerifier, RelyingParty } from './passkey-verifier.js'

const invitationInput = lazily(() => z.strictObject({ token: shortText(200) }))
const browserAnswer = lazily(() => z.record(z.string(), z.unknown()))
const passkeyInput = lazily(() => z.strictObject({ response: browserAnswer() }))
const newPasskeyInput = lazily(() =>
  z.strictObject({
    response: browserAnswer(),
    nom: line({ min: 1, max: 120 }).default('Passkey'),
  }),
)

/** The user whom an invitation is for. */
export interface Invitee {
  readonly utilisateur: Pick<User, 'nom'>
  readonly compte: Pick<AccountSummary, 'id' | 'raison_sociale'>
}

/** Sign-ins. Refusals reveal no more than `SignInRefusedError`. */
export interface SignIns extends OidcSignIns {
  /** Whether there is an identity provider. */
  readonly oidc: boolean
  /** Whether passkeys can be checked. */
  readonly passkeys: boolean
  /** The user of an invitation's token, without using up the token. @throws ValidationError, SignInRefusedError */
  lookAtInvitation(input: unknown): Promise<Invitee>
  /** Signs in by the token of an invitation, which is then used up. @throws ValidationError, SignInRefusedError */
  byInvitation(input: unknown, device: Device): Promise<NewSession>
  /** Options for asking a browser for any passkey. The answer is valid once, within 5 minutes. */
  askPasskey(at: RelyingParty): Promise<object>
  /** Signs in by the answer to `askPasskey`. @throws ValidationError, SignInRefusedError */
  byPasskey(input: unknown, at: RelyingParty, device: Device): Promise<NewSession>
  /**
   * Options for asking a browser for a new passkey. The answer is valid once, within 5 minutes. @throws NotFoundError
   */
  askNewPasskey(actor: Actor, user_id: string, at: RelyingParty): Promise<object>
  /**
   * Adds a passkey by the answer to `askNewPasskey`. @throws ValidationError, SignInRefusedError, ConflictError when it
   * already exists
   */
  addPasskey(actor: Actor, user_id: string, input: unknown, at: RelyingParty): Promise<PasskeyView>
}

const passkeyMs = 5 * 60_000

/** The challenge that a browser claims to answer; empty if there is none. */
function challengeIn(answer: BrowserAnswer): string {
  const { data } = z.object({ response: z.object({ clientDataJSON: shortText(10_000) }) }).safeParse(answer)
  if (data === undefined) throw new SignInRefusedError()
  try {
    const clientData = z.object({ challenge: shortText(200) })
    return clientData.parse(JSON.parse(Buffer.from(data.response.clientDataJSON, 'base64url').toString())).challenge
  } catch (cause) {
    throw new SignInRefusedError('refused', { cause })
  }
}

export interface SignInDeps extends OidcSignInDeps {
  readonly passkeyVerifier: PasskeyVerifier | null
}

/** @throws ConflictError */
function present(passkeyVerifier: PasskeyVerifier | null): PasskeyVerifier {
  if (passkeyVerifier === null) throw conflict('passkeys_unavailable')
  return passkeyVerifier
}

type Query = 'lookAtInvitation' | 'askPasskey' | keyof ReturnType<typeof oidcQueries>

export function signInQueries(deps: SignInDeps): Pick<SignIns, Query> {
  const { reads, clock, challenges, passkeyVerifier } = deps
  return {
    ...oidcQueries(deps),
    async askPasskey({ rp_id }) {
      return present(passkeyVerifier).requestOptions({ rp_id, challenge: challenges.make('passkey', passkeyMs) })
    },
    async lookAtInvitation(input) {
      const { token } = parse(invitationInput, input)
      if (!isSecret('invitation', token)) throw new SignInRefusedError()
      const attempt = await reads.of(sessionStore).findAttempt(sha256Of(token), 'invitation')
      const { account_id, user_id } = standing(attempt, clock)
      const user = await reads.of(userStore).find(account_id ?? '', user_id ?? '')
      const account = await reads.accounts.find(account_id ?? '')
      if (user === null || account?.desactive_le !== null || !isActive(user)) throw new SignInRefusedError()
      const { id, raison_sociale } = account
      return { utilisateur: { nom: user.nom }, compte: { id, raison_sociale } }
    },
  }
}

export type SignInWrites = WritesOf<SignIns, Exclude<keyof SignIns, 'oidc' | 'passkeys' | Query>>

export function signInWrites(deps: SignInDeps): SignInWrites {
  const { reads, clock, random, newId, challenges } = deps
  const verifier = () => present(deps.passkeyVerifier)
  const { given, taken, begin, replacing } = lastSteps(deps)

  return {
    byInvitation(input, device) {
      const { token } = parse(invitationInput, input)
      const write = preparedWrite({
        async prepare() {
          if (!isSecret('invitation', token)) throw new SignInRefusedError()
          await given(token, 'invitation')
        },
        async write(tx) {
          const { account_id, user_id } = await taken(tx, token, 'invitation')
          if (account_id === null || user_id === null) throw new SignInRefusedError()
          // If the letter was sent twice, each copy has its own link. The other link ends as well.
          await tx.of(sessionStore).forgetAttempts(account_id, user_id)
          return begin(tx, await tx.of(userStore).find(account_id, user_id), 'invitation', device)
        },
      })
      return replacing(device, write)
    },

    byPasskey(input, at, device) {
      const { response } = parse(passkeyInput, input)
      const challenge = challengeIn(response)
      const write = preparedWrite({
        async prepare() {
          challenges.check('passkey', challenge)
          const passkey = await reads.of(userStore).findPasskey(String(response['id']))
          if (passkey === null) throw new SignInRefusedError()
          const verified = await verifier().verifyRequest(response, { ...at, challenge, passkey })
          if (verified === null) throw new SignInRefusedError()
          return { passkey, compteur: verified.compteur }
        },
        async write(tx, { passkey, compteur }) {
          await challenges.use(tx, 'passkey', challenge)
          const { account_id, id, user_id } = passkey
          // The passkey may have been removed since it was read.
          const now = (await tx.of(userStore).passkeys(account_id, user_id)).find((each) => each.id === id)
          if (now === undefined || (now.compteur > 0 && compteur <= now.compteur)) throw new SignInRefusedError()
          await tx.of(userStore).usePasskey({ account_id, id, compteur, derniere_utilisation: toInstant(clock.now()) })
          return begin(tx, await tx.of(userStore).find(account_id, user_id), 'passkey', device)
        },
      })
      return replacing(device, write)
    },

    askNewPasskey({ account_id }, user_id, { rp_id }) {
      const challenge = newChallenge(random)
      const attempt = { hash: sha256Of(challenge), methode: 'enregistrement', account_id, user_id } as const
      return preparedWrite({
        async prepare() {
          const user = found(await reads.of(userStore).find(account_id, user_id), 'user', user_id)
          const existing = await reads.of(userStore).passkeys(account_id, user_id)
          return verifier().creationOptions({ rp_id, challenge, user, existing })
        },
        async write(tx, options) {
          await tx.of(sessionStore).addAttempt({ ...attempt, expire_a: toInstant(clock.now() + passkeyMs) })
          return options
        },
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
          // The person who answers must be the one who was asked.
          if (attempt.account_id !== account_id || attempt.user_id !== user_id) throw new SignInRefusedError()
          const made = { nom, date_creation: toInstant(clock.now()), derniere_utilisation: null }
          const passkey: Passkey = { id: newId('psk'), account_id, user_id, ...verified, ...made }
          if (!(await tx.of(userStore).addPasskey(passkey))) throw conflict('passkey_registered')
          return passkeyView(passkey)
        },
      })
    },

    ...oidcWrites(deps),
  }
}
