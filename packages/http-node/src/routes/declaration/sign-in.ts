import type { SignInRefusedError } from '@sav/core'
import type { Feature } from '@sav/core/feature'
import type { AuditCall } from '@sav/core/internal'
import type { Holder } from '../../callers/holder.js'
import type { ApiRequest, ApiResponse, BodyBudget } from '../../http/exchange.js'
import type { ApiCore } from './route.js'

/** Another way to call than with a key: people sign in on pages of the service, and their browser gets a cookie. */
export interface SignIn {
  /** The caller of a call without a key; null: nobody. @throws Refusal */
  holderOf(request: ApiRequest): Promise<Holder | null>
  /** The same of a call that was let in and goes on: it does not count as a use. */
  holderStill(request: ApiRequest): Promise<Holder | null>
  /** What is answered beside the contract, by path: it takes no keys. */
  readonly routes: ReadonlyMap<string, SignInRoute>
}

/** What a sign-in works with. */
export interface SignInDeps<F extends Feature = never> {
  readonly sav: ApiCore<F>
  /** Names of the features that the service has. */
  readonly fonctions: readonly string[]
  /** Where the service is reached from outside, without a slash at its end; null: it does not know. */
  readonly publicUrl: string | null
}

/** What is answered at a path, by method. */
export interface SignInRoute {
  readonly answer: ReadonlyMap<string, (call: SignInCall) => Promise<ApiResponse>>
  readonly allow: string
}

/** A call as it reaches the sign-in. */
export interface SignInCall {
  readonly request: ApiRequest
  /** As sent, without its question mark. */
  readonly search: string
  readonly ip: string
  /** Reads the body within what this caller's may take. @throws Refusal */
  readBody<T>(read: (budget: BodyBudget) => Promise<T>): Promise<T>
  /** @throws Refusal for a call without a key or a session */
  holder(): Promise<Holder>
  /** The person, and what the audit records. */
  recognised(user: SignedInUser, status: number): AuditCall
  /** A page tells the person of it: this is for the audit and the log. */
  refused(error: SignInRefusedError): void
}

/** Who signed in. */
export interface SignedInUser {
  readonly account_id: string
  readonly id: string
}
