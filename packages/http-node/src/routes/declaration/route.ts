import type { Actor, Permission, Sav, UseCases, Write, Writes } from '@sav/core'
import { type AnswerSubject, parse, type Reach, reachOf, shapes } from '@sav/core/internal'
import * as z from 'zod'
import type { Holder } from '../../callers/holder.js'
import type { ApiRequest, ApiResponse, BodyBudget } from '../../http/exchange.js'
import type { FailureKind } from '../../http/failures.js'
import { type JsonBody, readJson, readOptionalJson } from '../../http/json-body.js'
import { type Params, paramNamesIn, pathParam } from '../../http/path-params.js'
import { queryReader } from '../../http/query.js'
import type { Answers } from './answers.js'

type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Method = 'GET' | WriteMethod

/** A call as it reaches its route. */
interface IncomingCall {
  readonly request: ApiRequest
  /** The path's parameters in their order, decoded. */
  readonly texts: readonly string[]
  /** As sent, without its question mark. */
  readonly search: string
}

/** Who calls. */
export interface Caller {
  readonly actor: Actor
  /** Whether the caller holds a further permission, for an operation that then gives more. */
  readonly may: (permission: Permission) => boolean
  /** The key or session that lets them in. */
  readonly holder: Holder
  /** What the addresses in an answer begin with: empty, or `/sav`. */
  readonly base: string
  /** Reads the holder again: null when that key, or session, has ended. It does not count as a use of the session. */
  readonly again: () => Promise<Holder | null>
}

/** Whose visits the caller may see and tell of. */
export const reached = ({ actor, may }: Pick<Caller, 'actor' | 'may'>): Reach => reachOf(actor, may('admin'))

/** The caller's key for repetitions of a call, kept for 30 days. */
export const cleOf = (request: ApiRequest): string | null => request.header('idempotency-key') ?? null

/** A write that was read, and found to be well-formed. */
export interface ReadCall {
  /** The body as it came. */
  readonly body: Uint8Array
  /** What is to be done, resolving to its answer. @throws ValidationError */
  readonly write: (sav: Queries & Pick<Sav, 'writes'>, caller: Caller) => Write<ApiResponse>
}

/** The context of public routes: what an operation without a key works with. */
export interface PublicRouteContext {
  /** Resolves when the service can work; rejects with UnavailableError otherwise. */
  readonly ready: () => Promise<void>
  /** The contract as JSON: the same bytes each time. */
  readonly contract: () => Promise<Uint8Array>
  readonly sav: Pick<Queries, 'calendars' | 'evidence' | 'rdvPages'> &
    Pick<Sav, 'clockDifferenceMs' | 'limits' | 'writes'>
  /** The caller's address, as far as our own proxies tell. */
  readonly ip: string
  /** The body, as a browser's form sends it. @throws Refusal */
  readonly form: () => Promise<Record<string, string>>
  /** Does a write of somebody without a key, with the call's row in the audit of the account that it concerned. */
  readonly perform: (write: Write<{ readonly account_id: string }>) => Promise<void>
  /** What the addresses in an answer begin with: empty, or `/sav`. */
  readonly base: string
}

/** The use cases without those that write, and without those of the operator. */
type WithoutWrites<Features> = {
  readonly [Name in keyof Features]: Name extends keyof Writes
    ? Omit<Features[Name], keyof Writes[Name] | 'reseal'>
    : Features[Name] extends (...given: never) => unknown
      ? Features[Name]
      : WithoutWrites<Features[Name]>
}

/** The use cases that an operation may call to read: none of this type writes. */
export interface Queries extends WithoutWrites<Omit<UseCases, 'accounts' | 'retention'>> {
  readonly accounts: Pick<UseCases['accounts'], 'get'>
  readonly audit: Pick<Sav['audit'], 'list'>
  readonly live: Pick<Sav['live'], 'listen'>
}

/** What the API needs of the core. */
export type ApiCore = Queries &
  Pick<Sav, 'writes' | 'perform' | 'audit' | 'idempotency' | 'limits' | 'clockDifferenceMs'>

interface RouteDescription {
  readonly method: Method
  /** Its parameters stand in braces: see path-params.ts. */
  readonly path: string
  /** Unique over all operations: the contract's `operationId`. */
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly answers: Answers<never, unknown>
  /** Refusals beyond those that follow from the rest of the declaration. */
  readonly failures?: readonly FailureKind[]
}

/** What an operation takes as its body. */
interface DescribedBody {
  readonly schema: shapes.Lazy<z.ZodType>
  /** Where it may be left out, it is an empty object. */
  readonly isOptional: boolean
  /** A whole body that the operation takes. */
  readonly example: unknown
}

/** What a key must hold: all of them, where there are several; a refusal names the first that is missing. */
type RequiredPermissions = Permission | readonly Permission[]

interface KeyedDescription extends RouteDescription {
  readonly permission: RequiredPermissions
  /** True where `terrain` lets in as well. */
  readonly alsoTerrain?: true
  readonly query: shapes.Lazy<z.ZodObject> | null
  readonly body: DescribedBody | null
  /** Where the body is a file, and no JSON: what it may be, and one that is taken under the name that its path has. */
  readonly file?: {
    readonly mediaTypes: readonly string[]
    readonly example: { readonly sha256: string; readonly content: Uint8Array }
  }
  /** True where the answer holds a secret: it is neither compressed nor kept in the clear. */
  readonly secret: boolean
  /** True where `If-Match` is looked at. */
  readonly conditional: boolean
}

/** Answers those who hold a key, and changes nothing. */
export interface ReadRoute extends KeyedDescription {
  readonly method: 'GET'
  readonly answer: (call: IncomingCall & Caller & { readonly sav: Queries }) => Promise<ApiResponse>
}

/** Does one write for those who hold a key. */
export interface WriteRoute extends KeyedDescription {
  readonly method: WriteMethod
  /** @throws Refusal, ValidationError for what can be told without the store */
  readonly read: (call: IncomingCall & { readonly budget: BodyBudget }) => Promise<ReadCall>
}

export type KeyedRoute = ReadRoute | WriteRoute

/** Answers callers without a key. */
export interface PublicRoute extends RouteDescription {
  readonly permission: null
  /** The fields of the form that it takes; null: it takes none. */
  readonly form: shapes.Lazy<z.ZodType> | null
  readonly answer: (call: IncomingCall & PublicRouteContext) => Promise<ApiResponse>
}

/** One operation of the API: how it is answered, and all that the contract says of it. */
export type Route = KeyedRoute | PublicRoute

const nothing = shapes.lazily(() => z.strictObject({}))
type Nothing = ReturnType<typeof nothing>
/** The query, or the body, of an operation that takes none. */
export type NoInput = z.input<Nothing>

/** What the types of an operation tell a client. */
export interface OperationTypes<M extends Method, Path extends string, Query, Body, Answer> {
  readonly method: M
  readonly path: Path
  /** Never there: types alone. */
  readonly types?: { readonly query: Query; readonly body: Body; readonly answer: Answer }
}

interface RouteDeclaration<Path extends string, Q extends z.ZodObject, Result, Answer>
  extends Omit<RouteDescription, 'method' | 'path' | 'answers'> {
  readonly path: Path
  readonly permission: RequiredPermissions
  readonly alsoTerrain?: true
  /** Like the body, a type here: the use case that gets it checks it. */
  readonly query?: shapes.Lazy<Q>
  readonly answers: Answers<Result, Answer>
}

interface Call<Path extends string, Q extends z.ZodObject> extends Caller {
  readonly sav: Queries
  readonly request: ApiRequest
  readonly params: Params<Path>
  readonly query: z.input<Q>
}

interface ReadDeclaration<Path extends string, Q extends z.ZodObject, Result, Answer>
  extends RouteDeclaration<Path, Q, Result, Answer> {
  readonly handle: (call: Call<Path, Q>) => Promise<NoInfer<Result>>
}

interface WriteDeclaration<
  M extends WriteMethod,
  Path extends string,
  Q extends z.ZodObject,
  B extends z.ZodType,
  Result,
  Answer,
> extends RouteDeclaration<Path, Q, Result, Answer> {
  readonly method: M
  readonly secret?: true
  /** The subject of an answer to a POST: an answer that is kept for a repetition goes when that subject is erased. */
  readonly about?: (result: NoInfer<Result>, params: Params<Path>) => AnswerSubject
  readonly conditional?: true
  /** What is to be done. The caller of the operation begins its one transaction. */
  readonly write: (
    call: Call<Path, Q> & { readonly writes: WritesOfAccount; readonly body: z.input<B> },
  ) => Write<NoInfer<Result>>
}

/** No caller makes an account. */
type WritesOfAccount = Omit<Writes, 'accounts'> & { readonly accounts: Pick<Writes['accounts'], 'update'> }

/** An operation with a body has an example of it. */
type Takes<B extends z.ZodType> =
  | { readonly body?: undefined }
  | {
      readonly body: shapes.Lazy<B>
      /** Without a body it is an empty object. */
      readonly bodyIsOptional?: true
      readonly example: z.input<B>
    }

/** An operation that tells those who hold a key. */
export function readRoute<const Path extends string, Result, Answer, Q extends z.ZodObject = Nothing>({
  handle,
  answers,
  query,
  ...described
}: ReadDeclaration<Path, Q, Result, Answer>): ReadRoute &
  OperationTypes<'GET', Path, z.input<Q>, z.input<Nothing>, Answer> {
  const paramsOf = paramsReader<Path>(described.path)
  const queryOf = queryReaderOf(query)
  return {
    ...described,
    method: 'GET',
    answers,
    query: query ?? null,
    body: null,
    secret: false,
    conditional: false,
    async answer({ texts, search, ...call }) {
      const params = paramsOf(texts)
      return answers.write(await handle({ ...call, params, query: queryOf(search) }))
    },
  }
}

/** An operation that writes for those who hold a key. */
export function writeRoute<
  const M extends WriteMethod,
  const Path extends string,
  Result,
  Answer,
  Q extends z.ZodObject = Nothing,
  B extends z.ZodType = Nothing,
>(
  declaration: WriteDeclaration<M, Path, Q, B, Result, Answer> & Takes<B>,
): WriteRoute & OperationTypes<M, Path, z.input<Q>, z.input<B>, Answer> {
  const { query, secret = false, conditional = false } = declaration
  const body = bodyOfDeclaration(declaration)
  const { write, answers, about, ...described } = declaration
  const answerTo = (result: Result, params: Params<Path>) => {
    const made = typeof result === 'object' && result !== null && 'id' in result ? result.id : null
    const answer = { ...answers.write(result), made }
    return about === undefined ? answer : { ...answer, about: about(result, params) }
  }
  const paramsOf = paramsReader<Path>(described.path)
  const queryOf = queryReaderOf(query)
  const bodyOf: (request: ApiRequest, budget: BodyBudget) => Promise<JsonBody<z.input<B>>> =
    body === null ? refuseBody : body.isOptional ? readOptionalJson : readJson

  return {
    ...described,
    answers,
    query: query ?? null,
    body,
    secret,
    conditional,
    async read({ request, budget, texts, search }) {
      const given = { request, params: paramsOf(texts), query: queryOf(search) }
      const { bytes, value } = await bodyOf(request, budget)
      return {
        body: bytes,
        write: (sav, caller) =>
          withResult(write({ sav, writes: sav.writes, ...caller, ...given, body: value }), (result) =>
            answerTo(result, given.params),
          ),
      }
    },
  }
}

/** The same write, resolving to what `resultOf` makes of its result. */
export const withResult = <From, To>(write: Write<From>, resultOf: (result: From) => To): Write<To> => ({
  ...write,
  write: async (tx, prepared) => resultOf(await write.write(tx, prepared)),
})

interface Public<Path extends string, Result, Answer> extends Omit<RouteDescription, 'method' | 'path' | 'answers'> {
  readonly path: Path
  readonly answers: Answers<Result, Answer>
  readonly handle: (
    call: PublicRouteContext & Pick<IncomingCall, 'request' | 'search'> & { readonly params: Params<Path> },
  ) => Promise<NoInfer<Result>>
}

/** An operation for callers without a key. */
export const publicRoute = <const Path extends string, Result, Answer>(
  declaration: Public<Path, Result, Answer>,
): PublicRoute & OperationTypes<'GET', Path, z.input<Nothing>, z.input<Nothing>, Answer> =>
  unkeyed('GET', null, declaration)

/** The operation behind the form of a page, for callers without a key. */
export const formRoute = <const Path extends string, Result, Answer>({
  form,
  ...declaration
}: Public<Path, Result, Answer> & { readonly form: shapes.Lazy<z.ZodType> }): PublicRoute &
  OperationTypes<'POST', Path, z.input<Nothing>, z.input<Nothing>, Answer> => unkeyed('POST', form, declaration)

function unkeyed<const M extends 'GET' | 'POST', const Path extends string, Result, Answer>(
  method: M,
  form: shapes.Lazy<z.ZodType> | null,
  { handle, answers, ...described }: Public<Path, Result, Answer>,
): PublicRoute & OperationTypes<M, Path, z.input<Nothing>, z.input<Nothing>, Answer> {
  const paramsOf = paramsReader<Path>(described.path)
  return {
    ...described,
    method,
    form,
    permission: null,
    answers,
    answer: async ({ texts, ...call }) => answers.write(await handle({ ...call, params: paramsOf(texts) })),
  }
}

function bodyOfDeclaration(takes: Takes<z.ZodType>): DescribedBody | null {
  if (takes.body === undefined) return null
  const { body: schema, bodyIsOptional: isOptional = false, example } = takes
  return { schema, isOptional, example }
}

function paramsReader<Path extends string>(path: Path): (texts: readonly string[]) => Params<Path> {
  const readers = paramNamesIn(path).map((name) => ({ name, read: pathParam(name).read }))
  return (texts) => {
    const params = Object.create(null)
    for (const [index, { name, read }] of readers.entries()) params[name] = read(texts[index] ?? '')
    return params
  }
}

function queryReaderOf<Q extends z.ZodObject>(query: shapes.Lazy<Q> | undefined): (search: string) => z.input<Q> {
  if (query === undefined) return refuseQuery
  let read: ((search: string) => z.input<Q>) | undefined
  return (search) => {
    read ??= queryReader(query())
    return read(search)
  }
}

/** The empty input of an operation that takes none. */
const none = () => Object.create(null)

function refuseQuery(search: string) {
  if (search !== '') parse(nothing, queryReader(nothing())(search))
  return none()
}

/** A condition that the operation does not look at must not vanish: its caller counts on it. @throws ValidationError */
export function refuseCondition(request: Pick<ApiRequest, 'header'>): void {
  const condition = request.header('if-match')
  if (condition !== undefined && condition.trim() !== '*') parse(nothing, { 'If-Match': condition })
}

async function refuseBody(request: ApiRequest, budget: BodyBudget) {
  const { bytes, value } = await readOptionalJson(request, budget)
  parse(nothing, value)
  return { bytes, value: none() }
}
