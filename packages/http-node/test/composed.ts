import { createSav, type RateLimit, type Sav } from '@sav/core'
import type { Clock, HttpSender, Random, Storage } from '@sav/core/ports'
import { type FixedClock, fixedClock, seededRandom } from '@sav/core/testing'
import { type ApiCall, type ApiFailure, type ApiOptions, createApi } from '../src/api.js'
import type { Api } from '../src/exchange.js'

/** The API on a store, with a clock that stands still and no way out. */
export interface Composed<C extends Clock = FixedClock> {
  readonly sav: Sav
  readonly clock: C
  readonly api: Api
  readonly calls: ApiCall[]
  readonly failures: ApiFailure[]
}

const noReceivers: HttpSender = {
  post: () => Promise.reject(new Error('These tests send nothing.')),
  close: async () => {},
}

export interface ComposeOptions extends ApiOptions {
  readonly rateLimit?: RateLimit
}

export const composeApi = (storage: Storage, options: ComposeOptions = {}): Composed =>
  composeWith({ storage, clock: fixedClock(), random: seededRandom(1) }, options)

/** The same with time and chance of the caller's choice. */
export function composeWith<C extends Clock>(
  { storage, clock, random }: { readonly storage: Storage; readonly clock: C; readonly random: Random },
  { rateLimit = null, ...options }: ComposeOptions = {},
): Composed<C> {
  const sav = createSav({
    storage,
    clock,
    random,
    secretKey: new Uint8Array(32),
    timeZone: 'Europe/Paris',
    rateLimit,
    webhooks: {
      http: noReceivers,
      receivers: { allowLocal: true },
      schedule: [0],
      timeoutMs: 5000,
      concurrency: { total: 1, perTarget: 1 },
      channels: {},
      observe: () => {},
    },
  })
  const calls: ApiCall[] = []
  const failures: ApiFailure[] = []
  const api = createApi({
    sav,
    clock,
    random,
    ready: () => storage.ping(),
    onCall: (call) => calls.push(call),
    log: (failure) => failures.push(failure),
    options,
  })
  return { sav, clock, api, calls, failures }
}
