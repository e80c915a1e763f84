import type { AuditCall } from '@sav/core/adapter'
import type { EventDeclarations, Feature } from '@sav/core/feature'
import type { Clock, Random } from '@sav/core/ports'
import type { Authenticate } from '../callers/authentication.js'
import type { ForwardedHeader } from '../http/caller-ip.js'
import type { ApiCore, KeyedRoute, Route, RouteSav } from '../routes/declaration/route.js'
import type { SignIn, SignInDeps } from '../routes/declaration/sign-in.js'

/** The parts that the API needs: the service, the machine, and the host that observes its calls. */
export interface ApiDeps<Context = undefined, F extends Feature = never> extends ApiOptions<Context> {
  /** The service, as `createSav` gives it. */
  readonly sav: ApiCore<F> & { readonly ready?: () => Promise<void> }
  /** The operations of the features that `sav` has, beside those of the core. None by default. */
  readonly features?: readonly FeatureRoutes<F>[]
  /** The machine's by default. */
  readonly clock?: Pick<Clock, 'now'>
  /** The system's by default. */
  readonly random?: Random
  /**
   * The check of `/readyz`: resolves when the service can work, rejects with UnavailableError otherwise. By default
   * `sav.ready`.
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
  /** Called after every answer, for metrics: of its fields, only the account is chosen by a caller. It must neither throw nor wait. */
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
  /** The sign-in of people, who call without a key. At most one feature has one. */
  readonly signIn?: (deps: SignInDeps<F>) => SignIn
  /** Its kinds of events, for the contract. */
  readonly events?: EventDeclarations
}

/** An operation, for a host that serves only some of them. */
export type Operation = Pick<Route, 'method' | 'path' | 'name' | 'permission'>

/** What an operator, or an embedder, may set of the API. */
export interface ApiOptions<Context = undefined> {
  /**
   * The public path of the API, `/sav`: every address in its answers begins with it. A call's own path
   * may begin with it, or not if a proxy has removed it. By default the mount path that the framework reports.
   */
  readonly basePath?: string
  /** Identifies callers, instead of API keys. */
  readonly authenticate?: Authenticate<Context>
  /** How `authenticate` identifies callers, for the contract: OpenAPI's security schemes by name. Without it the contract leaves that open. */
  readonly securitySchemes?: Readonly<Record<string, object>>
  /** Whether a write needs `X-Request-Timestamp`: true by default; false leaves repetitions to `authenticate`. */
  readonly requireTimestamp?: boolean
  /** Which operations are served, beside the contract, which lists only these. All by default. */
  readonly serves?: (operation: Operation) => boolean
  /** Addresses and CIDRs of the proxies that are trusted for a caller's address. None by default. */
  readonly trustedProxies?: readonly string[]
  /** The header that these proxies set; the other one is ignored, since anybody may send it. X-Forwarded-For by default. */
  readonly forwardedHeader?: ForwardedHeader
  /**
   * The public URL of the service: people sign in only on pages of its origin, which must be https, or of this
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
 * One answered call, as in the audit: `ip` is the caller's as reported by our proxies, `endpoint` the route's path
 * or if there is none the path as sent, cut after 200 characters; never the query.
 */
export interface ApiCall extends AuditCall {
  /** How many calls of strangers it counts. It is the last of them; `ip` is `*` if they came from several addresses. */
  readonly calls?: number
}

/** One answer, without its caller. */
export interface ApiAnswer {
  /** `OTHER` for one that the API does not use. */
  readonly method: string
  /** The path in the contract; null if there is none. */
  readonly route: string | null
  readonly status: number
  /** Why it was refused: `unauthorized`, `validation_failed` …; null if it was not. */
  readonly refusal: string | null
  /** Of a caller with a key or a session; null otherwise. */
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
