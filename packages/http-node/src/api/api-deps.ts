import type { EventDeclarations, Feature } from '@sav/core/feature'
import type { AuditCall } from '@sav/core/internal'
import type { Clock, Random } from '@sav/core/ports'
import type { Authenticate } from '../callers/authentication.js'
import type { ForwardedHeader } from '../http/caller-ip.js'
import type { ApiCore, KeyedRoute, Route, RouteSav } from '../routes/declaration/route.js'
import type { SignIn, SignInDeps } from '../routes/declaration/sign-in.js'

/** What the API works with: the service, the machine, and the host that observes its calls. */
export interface ApiDeps<Context = undefined, F extends Feature = never> extends ApiOptions<Context> {
  readonly sav: ApiCore<F> & { readonly ready?: () => Promise<void> }
  /** The operations of the features that `sav` has, beside those of the core. None by default. */
  readonly features?: readonly FeatureRoutes<F>[]
  /** The machine's by default. */
  readonly clock?: Pick<Clock, 'now'>
  /** The system's by default. */
  readonly random?: Random
  /**
   * What `/readyz` asks: resolves when the service can work, rejects with UnavailableError otherwise. By default what
   * `sav.ready` says.
   */
  readonly ready?: () => Promise<void>
  /** Called with each answer, like `onCall`, and with each failure, like `log`. By default failures go to the console. */
  readonly logger?: Logger
  /**
   * Called after each answer to a caller with a key or a session. Calls of strangers are counted: it is called once a minute
   * for those of one address, or one IPv6 network (/64), and one kind, with their number, and at most six times for all
   * strangers together. It must neither throw nor wait. It replaces `logger`.
   */
  readonly onCall?: (call: ApiCall) => void
  /** Called after every answer, for numbers: none of it but the account is chosen by a caller. It must neither throw nor wait. */
  readonly onAnswer?: (answer: ApiAnswer) => void
  /**
   * Called when a call failed for a reason that its caller does not see, and for strangers for the first in a
   * minute; it must neither throw nor wait. It replaces `logger`.
   */
  readonly log?: (failure: ApiFailure) => void
}

/** The operations of a feature. */
export interface FeatureRoutes<F extends Feature = never> {
  readonly name: string
  readonly routes: readonly Route<RouteSav<F>>[]
  /**
   * Operations of paths that others have, for callers without the permission that those need. The contract describes them
   * with the operation that they replace.
   */
  readonly alternatives?: readonly KeyedRoute<RouteSav<F>>[]
  /** How people sign in to call without a key. At most one feature has it. */
  readonly signIn?: (deps: SignInDeps<F>) => SignIn
  /** Its kinds of events, for the contract. */
  readonly events?: EventDeclarations
}

/** An operation, for a host that serves only some of them. */
export type Operation = Pick<Route, 'method' | 'path' | 'name' | 'permission'>

/** What an operator, or an embedder, may set of the API. */
export interface ApiOptions<Context = undefined> {
  /**
   * Under which path the API is reached from outside, `/sav`: every address that it tells begins with it. A call's own path
   * may begin with it, or not where a proxy has taken it away. By default where the framework says that it is mounted.
   */
  readonly basePath?: string
  /** Who calls, instead of API keys. */
  readonly authenticate?: Authenticate<Context>
  /** How `authenticate` knows a caller, for the contract: OpenAPI's security schemes by their names. Without it that is left open. */
  readonly securitySchemes?: Readonly<Record<string, object>>
  /** Whether a write needs `X-Request-Timestamp`: true by default; false leaves repetitions to `authenticate`. */
  readonly requireTimestamp?: boolean
  /** Which operations are served, beside the contract, which lists only these. All by default. */
  readonly serves?: (operation: Operation) => boolean
  /** Addresses and CIDRs of the proxies whose word on a caller's address is believed. None by default. */
  readonly trustedProxies?: readonly string[]
  /** Where these proxies say it; the other header is ignored, since anybody may have sent it. X-Forwarded-For by default. */
  readonly forwardedHeader?: ForwardedHeader
  /**
   * Where the service is reached from outside: people sign in on pages of its origin alone, which must be https, or of this
   * machine. Without it, on pages of this machine.
   */
  readonly publicUrl?: string | null
  /** Origins, such as `https://app.example`, whose pages may call from a browser. None by default. */
  readonly corsOrigins?: readonly string[]
  /**
   * Bytes of memory that bodies hold at once; a body beyond them, or beyond its key's or its account's share, is answered
   * by 503. 256 MiB by default.
   */
  readonly maxBodyBytesAtOnce?: number
}

/**
 * One answered call, as the audit has it: `ip` is the caller's as far as our own proxies tell, `endpoint` the route's path
 * or if there is none the path as sent, cut after 200 characters; never the query.
 */
export interface ApiCall extends AuditCall {
  /** How many calls of strangers it stands for. It is the last of them; `ip` is `*` where they came from several addresses. */
  readonly calls?: number
}

/** One answer, without its caller. */
export interface ApiAnswer {
  /** `OTHER` for one that the API has no use for. */
  readonly method: string
  /** The path as the contract has it; null if there is none. */
  readonly route: string | null
  readonly status: number
  /** Why it was refused: `unauthorized`, `validation_failed` …; null if it was not. */
  readonly refusal: string | null
  /** Of a caller with a key or a session; null otherwise. */
  readonly account_id: string | null
  readonly durationMs: number
  /** The length of the body as it went out. */
  readonly bytes: number
}

/** An answer of 500 or 503. */
export interface ApiFailure {
  readonly request_id: string
  readonly endpoint: string
  readonly status: number
  readonly error: unknown
}

/** The log of a service, with pino's signature: fields, and a sentence. It neither throws nor waits. */
export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Writes warnings and errors to the console, for a host without a logger of its own. */
export const consoleLogger: Logger = {
  info() {},
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
}
