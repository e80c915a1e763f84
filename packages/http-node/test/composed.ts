import { type Actor, createUseCases, type Sav } from '@sav/core'
import type { LetterChannel, RateLimit } from '@sav/core/adapter'
import type { Clock, Random, ReportRenderer, Storage } from '@sav/core/ports'
import { type FixedClock, fixedClock, seededRandom } from '@sav/core/testing'
import { type AllFeatures, allFeatures } from '../../all/src/index.js'
import { allRoutes } from '../../all/src/routes.js'
import type { IdentityProvider } from '../../people/src/index.js'
import { trustingPasskeys } from '../../people/src/testing.js'
import { inlineSolver } from '../../planning/src/engines.js'
import type { RoundSolver } from '../../planning/src/index.js'
import type { ApiCall, ApiFailure, ApiOptions } from '../src/api/api-deps.js'
import { createApi } from '../src/create-api.js'
import type { Api } from '../src/http/exchange.js'

/** The API on a store, with a fixed clock and no network. */
export interface ComposedApi<C extends Clock = FixedClock> {
  readonly sav: Sav<AllFeatures>
  readonly clock: C
  readonly api: Api
  readonly calls: ApiCall[]
  readonly failures: ApiFailure[]
}

/** An actor of this account. */
export const as = (account_id: string): Actor => ({ account_id, type: 'cli', id: null, nom: 'test' })

export interface ComposeOptions extends ApiOptions {
  readonly rateLimit?: RateLimit
  readonly letters?: readonly LetterChannel[]
  readonly identityProvider?: IdentityProvider
  readonly roundSolver?: RoundSolver
  readonly reportRenderer?: ReportRenderer
}

export const composeApi = (storage: Storage, options: ComposeOptions = {}): ComposedApi =>
  composeWith({ storage, clock: fixedClock(), random: seededRandom(1) }, options)

/** Composes the API with the given clock and randomness. */
export function composeWith<C extends Clock>(
  { storage, clock, random }: { readonly storage: Storage; readonly clock: C; readonly random: Random },
  {
    rateLimit = null,
    letters = [],
    identityProvider,
    roundSolver = inlineSolver,
    reportRenderer,
    ...options
  }: ComposeOptions = {},
): ComposedApi<C> {
  const sav = createUseCases({
    features: allFeatures({
      people: { passkeyVerifier: trustingPasskeys, identityProvider: identityProvider ?? null },
      planning: { roundSolver },
    }),
    storage,
    clock,
    random,
    secretKey: new Uint8Array(32),
    timeZone: 'Europe/Paris',
    rateLimit,
    letters,
    publicUrl: options.publicUrl ?? null,
    ...(reportRenderer && { reportRenderer }),
    receivers: { allowLocal: true },
  })
  const calls: ApiCall[] = []
  const failures: ApiFailure[] = []
  const api = createApi({
    sav,
    features: allRoutes,
    clock,
    random,
    ready: () => storage.ping(),
    onCall: (call) => calls.push(call),
    log: (failure) => failures.push(failure),
    ...options,
  })
  return { sav, clock, api, calls, failures }
}
