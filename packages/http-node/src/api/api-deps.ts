import type { AuditCall } from '@sav/core/adapter'
import type { Feature } from '@sav/core/feature'
import type { Clock, Random } from '@sav/core/ports'
import type { Authenticate } from '../callers/authentication.js'
import type { ForwardedHeader } from '../http/caller-ip.js'
import type { ApiCore, KeyedRoute, Route, RouteSav } from '../routes/declaration/route.js'
import type { SignIn, SignInDeps } from '../routes/declaration/sign-in.js'

/** The service, the machine, and the host's functions that observe calls. */
export interface ApiDeps<Context = undefined, F extends Feature = never> extends ApiOptions<Context> {
  /** The service, from `createSav`. */
  readonly sav: ApiCore<F> & { readonly ready?: () => Promise<void> }
  /** The operations of the features of `sav`, besides those of the core. Default: none. */
  readonly features?: readonly FeatureRoutes<F>[]
  /** The clock of the API. Default: the machine's. */
  readonly clock?: Pick<Clock, 'now'>
  /** The source of random bytes. Default: the system's. */
  readonly random?: Random
  /**
   * The check of `/readyz`: resolves when the service can work, rejects with UnavailableError otherwise. Default:
   * `sav.ready`.
   */
  readonly ready?: () => Promise<void>
  /** Called with each answer, like `onCall`, and with each failure, like `log`. Default: failures go to the console. */
  readonly logger?: Logger
  /**
   * Called after each answer to a caller with a key or a session. For other calls, it is called once a minute for each
   * address (or IPv6 /64) and kind, with their number, but at most six times a minute. It must neither throw nor wait.
   * It replaces `logger`.
   */
  readonly onCall?: (call: ApiCall) => void
  /**
   * Called after every answer, for metrics. Whatever callers send, the text fields other than `account_id` have a fixed
   * set of values. It must neither throw nor wait.
   */
  readonly onAnswer?: (answer: ApiAnswer) => void
  /**
   * Called when a call failed for a reason that its caller does not see. Of calls without a key or session, only the
   * first such failure in a minute is reported. It must neither throw nor wait. It replaces `logger`.
   */
  readonly log?: (failure: ApiFailure) => void
}

/** The operations of a feature. */
export interface FeatureRoutes<F extends Feature = never> {
  readonly name: string
  readonly routes: readonly Route<RouteSav<F>>[]
  /**
   * Variants of operations of `routes`, with the same method and path, for callers without that operation's permission.
   * The contract describes each variant together with the operation that it stands in for.
   */
  readonly alternatives?: readonly KeyedRoute<RouteSav<F>>[]
  /** The sign-in of people, who call without a key. At most one feature has one. */
  readonly signIn?: (deps: SignInDeps<F>) => SignIn
}

/** An operation, for a host that serves only some of them. */
export type Operation = Pick<Route, 'method' | 'path' | 'name' | 'permission'>

/** The options of the API, for an operator or an embedder. */
export interface ApiOptions<Context = undefined> {
  /**
   * The public path of the API, `/sav`, with which every address in its answers begins. A call's own path may begin
   * with it, or not if a proxy has removed it. Default: the mount path that the framework reports.
   */
  readonly basePath?: string
  /** Identifies callers, instead of API keys. */
  readonly authenticate?: Authenticate<Context>
  /**
   * How `authenticate` identifies callers, for the contract: OpenAPI's security schemes by name. Default: the contract
   * names none.
   */
  readonly securitySchemes?: Readonly<Record<string, object>>
  /**
   * Whether a write needs `X-Request-Timestamp`. Default: true. If false, `authenticate` must refuse replayed requests
   * itself.
   */
  readonly requireTimestamp?: boolean
  /** Which operations are served and listed in the contract, which is always served. Default: all. */
  readonly serves?: (operation: Operation) => boolean
  /** Addresses and CIDRs of proxies that are trusted to report a caller's address. Default: none. */
  readonly trustedProxies?: readonly string[]
  /**
   * The header in which the trusted proxies report the caller. The other header is ignored, since anybody can send it.
   * Default: X-Forwarded-For.
   */
  readonly forwardedHeader?: ForwardedHeader
  /**
   * The public URL of the service: people sign in only on pages of its origin, which must be https or local. Default:
   * only on local pages.
   */
  readonly publicUrl?: string | null
  /** Origins, such as `https://app.example`, whose pages may call from a browser. Default: none. */
  readonly corsOrigins?: readonly string[]
  /**
   * The memory for all bodies together, in bytes. A body that exceeds it, or the share of its key or account, is
   * refused with 503. Default: 256 MiB.
   */
  readonly maxBodyBytesAtOnce?: number
}

/**
 * One answered call, as in the audit. `ip` is the caller's as reported by our proxies; `endpoint` is the route's path.
 * Without a route, it is the path as sent, with `…` for unknown segments, cut to 200 characters. It never contains the
 * query.
 */
export interface ApiCall extends AuditCall {
  /**
   * The number of calls without a key or session that are reported together. The other fields are those of the last
   * call. `ip` is `*` if the calls came from several addresses.
   */
  readonly calls?: number
}

/** One answer, for metrics. */
export interface ApiAnswer {
  /** `OTHER` for a method that the API does not use. */
  readonly method: string
  /** The path in the contract; null if there is none. */
  readonly route: string | null
  readonly status: number
  /** Why the call was refused: `unauthorized`, `validation_failed` …; null if it was not refused. */
  readonly refusal: string | null
  /** The account of a caller with a key or a session; null otherwise. */
  readonly account_id: string | null
  readonly durationMs: number
  /** The length of the body as sent. */
  readonly bytes: number
}

/** An answer of 500 or 503. */
export interface ApiFailure {
  readonly request_id: string
  readonly endpoint: string
  readonly status: number
  readonly error: unknown
}

/** The log of a service, with pino's signature: fields, and a sentence. It must neither throw nor wait. */
export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Writes warnings and errors to the console, for a host without its own logger. */
export const consoleLogger: Logger = {
  info() {},
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
}
