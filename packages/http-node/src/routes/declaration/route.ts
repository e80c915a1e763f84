import type { Actor, Permission, Sav, UseCases, Write, Writes } from '@sav/core'
import type { AnswerSubject, shapes } from '@sav/core/adapter'
import type { CasesOf, Feature, WritesOfFeatures } from '@sav/core/feature'
import type * as z from 'zod'
import type { Holder } from '../../callers/holder.js'
import type { ApiRequest, ApiResponse, BodyBudget } from '../../http/exchange.js'
import type { FailureKind } from '../../http/failures.js'
import type { Params } from '../../http/path-params.js'
import type { Answers } from './answers.js'

export type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Method = 'GET' | WriteMethod

/** A call as it reaches its route. */
export interface IncomingCall {
  readonly request: ApiRequest
  /** The path's parameters in order, decoded. */
  readonly texts: readonly string[]
  /** The query as sent, without its question mark. */
  readonly search: string
}

/** The caller of an operation. */
export interface Caller {
  readonly actor: Actor
  /** Whether the caller has a further permission, for an operation that then returns more. */
  readonly may: (permission: Permission) => boolean
  /** The caller's key or session. */
  readonly holder: Holder
  /** Names of the service's features. */
  readonly fonctions: readonly string[]
  /** The prefix of addresses in an answer: empty, or `/sav`. */
  readonly base: string
  /** Reads the holder again: null when that key or session has ended. It does not count as a use of the session. */
  readonly again: () => Promise<Holder | null>
}

/** A parsed and well-formed write. */
export interface ReadCall<S = RouteSav> {
  /** The raw body. */
  readonly body: Uint8Array
  /** The write, resolving to its answer. @throws ValidationError */
  readonly write: (sav: S, caller: Caller) => Write<ApiResponse>
}

/** The context of public routes, which work without a key. */
export interface PublicRouteContext<S = RouteSav> {
  /** Resolves when the service can work; rejects with UnavailableError otherwise. */
  readonly ready: () => Promise<void>
  /** The contract as JSON: the same bytes each time. */
  readonly contract: () => Promise<Uint8Array>
  readonly sav: S & Pick<Sav, 'clockDifferenceMs' | 'limits'>
  /** The caller's address, as reported by our proxies. */
  readonly ip: string
  /** The body of a browser's form. @throws Refusal */
  readonly form: () => Promise<Record<string, string>>
  /** Performs a write for a caller without a key, with its audit row in the affected account. */
  readonly perform: (write: Write<{ readonly account_id: string }>) => Promise<void>
  /** The prefix of addresses in an answer: empty, or `/sav`. */
  readonly base: string
}

/** The use cases without writes, and without those of the operator. */
type WithoutWrites<Cases, AllWrites> = {
  readonly [Name in keyof Cases]: Name extends keyof AllWrites
    ? Omit<Cases[Name], keyof AllWrites[Name] | 'reseal'>
    : Cases[Name] extends (...given: never) => unknown
      ? Cases[Name]
      : WithoutWrites<Cases[Name], AllWrites>
}

/** The use cases that an operation may call to read. */
export interface Queries extends WithoutWrites<Omit<UseCases, 'accounts' | 'retention'>, Writes> {
  readonly accounts: Pick<UseCases['accounts'], 'get' | 'summary'>
  readonly audit: Pick<Sav['audit'], 'list'>
  readonly live: Pick<Sav['live'], 'listen'>
  readonly events: Sav['events']
}

/** The use cases for operations of the features `F`: reads to call, and writes to return. */
export type RouteSav<F extends Feature = never> = Queries &
  WithoutWrites<CasesOf<F>, WritesOfFeatures<F>> & { readonly writes: Writes<F> }

/** What the API needs from the core. */
export type ApiCore<F extends Feature = never> = RouteSav<F> &
  Pick<Sav, 'perform' | 'permissions' | 'audit' | 'idempotency' | 'limits' | 'clockDifferenceMs'>

export interface RouteDescription {
  readonly method: Method
  /** Parameters are in braces: see path-params.ts. */
  readonly path: string
  /** Unique over all operations: the contract's `operationId`. */
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly answers: Answers<never, unknown>
  /** Refusals besides those that follow from the rest of the declaration. */
  readonly failures?: readonly FailureKind[]
}

/** The body of an operation. */
export interface DescribedBody {
  readonly schema: shapes.Lazy<z.ZodType>
  /** If the body is missing, it is an empty object. */
  readonly isOptional: boolean
  /** A complete body that the operation accepts. */
  readonly example: unknown
}

/** The required permissions, all of them; a refusal names the first missing one. */
type RequiredPermissions = Permission | readonly Permission[]

interface KeyedDescription extends RouteDescription {
  readonly permission: RequiredPermissions
  /** True if `terrain` is sufficient as well. */
  readonly alsoTerrain?: true
  readonly query: shapes.Lazy<z.ZodObject> | null
  readonly body: DescribedBody | null
  /** For a body that is a file: its media types, and an example that matches the name in its path. */
  readonly file?: {
    readonly mediaTypes: readonly string[]
    readonly example: { readonly sha256: string; readonly content: Uint8Array }
  }
  /** True if the answer contains a secret: it is neither compressed nor kept unencrypted. */
  readonly secret: boolean
  /** True if `If-Match` is evaluated. */
  readonly conditional: boolean
}

/** Answers callers with a key, and changes nothing. */
export interface ReadRoute<S = RouteSav> extends KeyedDescription {
  readonly method: 'GET'
  readonly answer: (call: IncomingCall & Caller & { readonly sav: S }) => Promise<ApiResponse>
}

/** Performs one write for callers with a key. */
export interface WriteRoute<S = RouteSav> extends KeyedDescription {
  readonly method: WriteMethod
  /** @throws Refusal, ValidationError for what can be checked without the store */
  readonly read: (call: IncomingCall & { readonly budget: BodyBudget }) => Promise<ReadCall<S>>
}

export type KeyedRoute<S = RouteSav> = ReadRoute<S> | WriteRoute<S>

/** Answers callers without a key. */
export interface PublicRoute<S = RouteSav> extends RouteDescription {
  readonly permission: null
  /** The fields of the form; null: it takes none. */
  readonly form: shapes.Lazy<z.ZodType> | null
  readonly answer: (call: IncomingCall & PublicRouteContext<S>) => Promise<ApiResponse>
}

/** One operation of the API: its answers, and its description in the contract. */
export type Route<S = RouteSav> = KeyedRoute<S> | PublicRoute<S>

/** An operation of any feature, to be described, not called. */
export type AnyRoute = Route<never>
/** The same, for an operation that needs a key. */
export type AnyKeyedRoute = KeyedRoute<never>

/** The schema of a missing input. */
export type Nothing = z.ZodObject<Record<never, never>, z.core.$strict>
/** The query, or the body, of an operation that takes none. */
export type NoInput = z.input<Nothing>

/** The types of an operation for a client. */
export interface OperationTypes<M extends Method, Path extends string, Query, Body, Answer> {
  readonly method: M
  readonly path: Path
  /** Never set: for types only. */
  readonly types?: { readonly query: Query; readonly body: Body; readonly answer: Answer }
}

interface RouteDeclaration<Path extends string, Q extends z.ZodObject, Result, Answer>
  extends Omit<RouteDescription, 'method' | 'path' | 'answers'> {
  readonly path: Path
  readonly permission: RequiredPermissions
  readonly alsoTerrain?: true
  /** Used only for its type, like the schema of the body: the use case that gets the query checks it. */
  readonly query?: shapes.Lazy<Q>
  readonly answers: Answers<Result, Answer>
}

interface Call<S, Path extends string, Q extends z.ZodObject> extends Caller {
  readonly sav: S
  readonly request: ApiRequest
  readonly params: Params<Path>
  readonly query: z.input<Q>
}

export interface ReadDeclaration<S, Path extends string, Q extends z.ZodObject, Result, Answer>
  extends RouteDeclaration<Path, Q, Result, Answer> {
  readonly handle: (call: Call<S, Path, Q>) => Promise<NoInfer<Result>>
}

export interface WriteDeclaration<
  S,
  W,
  M extends WriteMethod,
  Path extends string,
  Q extends z.ZodObject,
  B extends z.ZodType,
  Result,
  Answer,
> extends RouteDeclaration<Path, Q, Result, Answer> {
  readonly method: M
  readonly secret?: true
  /** The subject of an answer to a POST: a kept answer is deleted when that subject is erased. */
  readonly about?: (result: NoInfer<Result>, params: Params<Path>) => AnswerSubject
  readonly conditional?: true
  /** The write. The caller of the operation begins its one transaction. */
  readonly write: (call: Call<S, Path, Q> & { readonly writes: W; readonly body: z.input<B> }) => Write<NoInfer<Result>>
}

/** The writes that an operation may return. It can change an account, but not create one. */
export type WritesOfAccount<F extends Feature> = Omit<Writes, 'accounts'> & {
  readonly accounts: Pick<Writes['accounts'], 'update'>
} & WritesOfFeatures<F>

/** An operation with a body has an example of it. */
export type Takes<B extends z.ZodType> =
  | { readonly body?: undefined }
  | {
      readonly body: shapes.Lazy<B>
      /** A missing body is an empty object. */
      readonly bodyIsOptional?: true
      readonly example: z.input<B>
    }

/** An operation for callers without a key. */
export interface PublicDeclaration<S, Path extends string, Result, Answer>
  extends Omit<RouteDescription, 'method' | 'path' | 'answers'> {
  readonly path: Path
  readonly answers: Answers<Result, Answer>
  readonly handle: (
    call: PublicRouteContext<S> & Pick<IncomingCall, 'request' | 'search'> & { readonly params: Params<Path> },
  ) => Promise<NoInfer<Result>>
}
