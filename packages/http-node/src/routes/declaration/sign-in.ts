import type { SignInRefusedError } from '@sav/core'
import type { AuditCall } from '@sav/core/adapter'
import type { Feature } from '@sav/core/feature'
import type { Holder } from '../../callers/holder.js'
import type { ApiRequest, ApiResponse, BodyBudget } from '../../http/exchange.js'
import type { ApiCore } from './route.js'

/** The sign-in of people on pages of the service. Their browser gets a cookie, and then calls without a key. */
export interface SignIn {
  /** The caller of a call without a key; null: there is none. @throws Refusal */
  holderOf(request: ApiRequest): Promise<Holder | null>
  /** The same for a call that goes on, such as a stream. It does not count as a use of the session. */
  holderStill(request: ApiRequest): Promise<Holder | null>
  /** The paths outside the contract, which take no keys. */
  readonly routes: ReadonlyMap<string, SignInRoute>
}

/** What a sign-in needs. */
export interface SignInDeps<F extends Feature = never> {
  /** The service that has the sessions. */
  readonly sav: ApiCore<F>
  /** Names of the service's features. */
  readonly fonctions: readonly string[]
  /** The service's public URL, without a trailing slash; null: unknown. */
  readonly publicUrl: string | null
}

/** The answers of a path, by method. */
export interface SignInRoute {
  readonly answer: ReadonlyMap<string, (call: SignInCall) => Promise<ApiResponse>>
  readonly allow: string
}

/** A call as it reaches the sign-in. */
export interface SignInCall {
  readonly request: ApiRequest
  /** The query as sent, without its question mark. */
  readonly search: string
  readonly ip: string
  /** Reads the body within this caller's limits. @throws Refusal */
  readBody<T>(read: (budget: BodyBudget) => Promise<T>): Promise<T>
  /** @throws Refusal for a call without a key or a session */
  holder(): Promise<Holder>
  /** Notes the user who signed in. Returns the call's audit row. */
  recognised(user: SignedInUser, status: number): AuditCall
  /** Notes a refused sign-in for the audit and the log. The page informs the person. */
  refused(error: SignInRefusedError): void
}

/** The user who signed in. */
export interface SignedInUser {
  readonly account_id: string
  readonly id: string
}
