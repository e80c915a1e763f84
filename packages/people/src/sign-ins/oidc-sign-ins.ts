import { SignInRefusedError } from '@sav/core'
import {
  type AccountSummary,
  foldEmail,
  found,
  lazily,
  nameOrId,
  parse,
  preparedWrite,
  type Reads,
  sha256Of,
  toInstant,
  type WritesOf,
} from '@sav/core/feature'
import * as z from 'zod'
import { conflict } from '../refusals.js'
import { sessionStore } from '../sessions/session-store.js'
import type { User } from '../users/user.js'
import { type UserReads, userStore } from '../users/user-store.js'
import {
  type BeginningDeps,
  type Device,
  isActive,
  lastSteps,
  type NewSession,
  newChallenge,
  standing,
} from './beginning.js'
import type { Challenges } from './challenges.js'
import type { IdentityProvider, OidcExchange } from './identity-provider.js'

const oidcChoiceInput = lazily(() => z.strictObject({ utilisateur: nameOrId() }))

/** A person whom the provider has verified and who has several accounts. With this secret the browser chooses one. */
export interface AccountChoice {
  readonly choice: string
}

/** An account in which the person may sign in. */
export interface Candidate {
  readonly utilisateur: Pick<User, 'id' | 'nom'>
  readonly compte: Pick<AccountSummary, 'id' | 'raison_sociale'>
}

/** The data of a browser that returns from the provider. */
export interface OidcReturn {
  readonly secret: string
  /** The query of the address. */
  readonly search: string
  readonly redirect_uri: string
  /** Ids of the users as whom this browser signed in before, latest first. */
  readonly chosen: readonly string[]
}

/** Sign-ins through an identity provider. Refusals reveal no more than `SignInRefusedError`. */
export interface OidcSignIns {
  /**
   * The address for a browser, and the secret that it must return within 10 minutes.
   * @throws UnavailableError when the provider cannot be reached
   */
  askOidc(redirect_uri: string): Promise<{ readonly url: string; readonly secret: string }>
  /**
   * Signs in the user with the verified address; it never creates a user. With users in several accounts, it takes the
   * one that this browser used last. If there is none, the person has 10 minutes to choose.
   * @throws SignInRefusedError, UnavailableError
   */
  byOidc(back: OidcReturn, device: Device): Promise<NewSession | AccountChoice>
  /** The accounts to choose from, by id. May be called repeatedly. @throws SignInRefusedError */
  oidcCandidates(choice: string): Promise<Candidate[]>
  /** Signs in to one of these accounts, once. @throws ValidationError, SignInRefusedError */
  byOidcChoice(choice: string, input: unknown, device: Device): Promise<NewSession>
}

const oidcMs = 10 * 60_000

/** State, nonce and verifier, derived from one secret that only the browser has. None of them reveals the others. */
function exchangeOf(secret: string, redirect_uri: string): OidcExchange {
  const derived = (purpose: string) => sha256Of(`sav oidc ${purpose} ${secret}`, 'base64url')
  return { redirect_uri, state: derived('state'), nonce: derived('nonce'), code_verifier: derived('verifier') }
}

/**
 * The secret of a choice contains the address. The store has only a hash of both together, so that neither is useful
 * alone.
 */
const choiceOf = (challenge: string, email: string) => `${challenge}.${Buffer.from(email).toString('base64url')}`
const emailOf = (choice: string) => Buffer.from(choice.split('.')[1] ?? '', 'base64url').toString()

async function knownBy(users: Pick<UserReads, 'findByEmail'>, email: string): Promise<User[]> {
  const known = (await users.findByEmail(email)).filter(isActive)
  return known.sort((a, b) => (a.account_id < b.account_id ? -1 : 1))
}

/** The only user, or else the one that this browser chose last. */
function meant(known: readonly User[], chosen: readonly string[]): User | undefined {
  if (known.length === 1) return known[0]
  const byId = new Map(known.map((user) => [user.id, user]))
  return chosen.flatMap((id) => byId.get(id) ?? [])[0]
}

export interface OidcSignInDeps extends BeginningDeps {
  readonly reads: Reads
  readonly challenges: Challenges
  readonly identityProvider: IdentityProvider | null
}

/** @throws ConflictError */
function present(identityProvider: IdentityProvider | null): IdentityProvider {
  if (identityProvider === null) throw conflict('identity_provider_missing')
  return identityProvider
}

export function oidcQueries(deps: OidcSignInDeps): Pick<OidcSignIns, 'askOidc' | 'oidcCandidates'> {
  const { reads, clock, challenges, identityProvider } = deps
  return {
    async askOidc(redirect_uri) {
      const secret = challenges.make('oidc', oidcMs)
      return { url: await present(identityProvider).authorizationUrl(exchangeOf(secret, redirect_uri)), secret }
    },
    async oidcCandidates(choice) {
      standing(await reads.of(sessionStore).findAttempt(sha256Of(choice), 'choix'), clock)
      const known = await knownBy(reads.of(userStore), emailOf(choice))
      return Promise.all(
        known.map(async ({ id, nom, account_id }) => {
          const { raison_sociale } = found(await reads.accounts.find(account_id), 'account', account_id)
          return { utilisateur: { id, nom }, compte: { id: account_id, raison_sociale } }
        }),
      )
    },
  }
}

export function oidcWrites(deps: OidcSignInDeps): WritesOf<OidcSignIns, 'byOidc' | 'byOidcChoice'> {
  const { clock, random, challenges } = deps
  const { given, taken, begin, replacing } = lastSteps(deps)

  return {
    byOidc({ secret, search, redirect_uri, chosen }, device) {
      const write = preparedWrite({
        async prepare() {
          challenges.check('oidc', secret)
          const exchange = exchangeOf(secret, redirect_uri)
          if (new URLSearchParams(search).get('state') !== exchange.state) throw new SignInRefusedError()
          const answer = await present(deps.identityProvider).verifiedEmail(search, exchange)
          if (answer.refused === null) return answer.email
          const { email, refused, cause } = answer
          const claimed = email === null ? [] : await knownBy(deps.reads.of(userStore), foldEmail(email))
          throw new SignInRefusedError(refused, { cause, claimed })
        },
        async write(tx, verified): Promise<NewSession | AccountChoice> {
          await challenges.use(tx, 'oidc', secret)
          const email = foldEmail(verified)
          const known = await knownBy(tx.of(userStore), email)
          if (known.length === 0) throw new SignInRefusedError('unknown_person')
          const user = meant(known, chosen)
          if (user !== undefined) return begin(tx, user, 'oidc', device)
          const choice = choiceOf(newChallenge(random), email)
          await tx.of(sessionStore).addAttempt({
            ...{ hash: sha256Of(choice), methode: 'choix', account_id: null, user_id: null },
            expire_a: toInstant(clock.now() + oidcMs),
          })
          return { choice }
        },
      })
      return replacing(device, write)
    },

    byOidcChoice(choice, input, device) {
      const { utilisateur } = parse(oidcChoiceInput, input)
      const write = preparedWrite({
        prepare: () => given(choice, 'choix'),
        async write(tx) {
          await taken(tx, choice, 'choix')
          const user = (await knownBy(tx.of(userStore), emailOf(choice))).find(({ id }) => id === utilisateur) ?? null
          return begin(tx, user, 'oidc', device)
        },
      })
      return replacing(device, write)
    },
  }
}
