import { type Actor, type Permission, parse, type Sav, type UseCases } from '@sav/core'
import * as z from 'zod'
import type { ApiRequest, ApiResponse, BodyRoom } from '../exchange.js'
import type { FailureKind } from '../failures.js'
import { type JsonBody, readJson, readOptionalJson } from '../json-body.js'
import { type Params, placeKind, placesIn } from '../places.js'
import { queryReader } from '../query.js'
import type { Answers } from './answers.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A call as it reaches its route. */
interface Arrived {
  readonly request: ApiRequest
  /** What stands in the path's places, in their order, decoded. */
  readonly texts: readonly string[]
  /** As sent, without its question mark. */
  readonly search: string
}

/** A call that was read, and found to be well-formed. */
export interface ReadCall {
  /** The body as it came. */
  readonly body: Uint8Array
  /** Does the operation. Of a POST, the result is what the transaction of its use case resolves to as well. */
  readonly run: (sav: ApiSav, actor: Actor) => Promise<unknown>
  readonly answerTo: (result: unknown) => ApiResponse
}

/** What the service's own operations work with. */
export interface Surroundings {
  /** Resolves when the service can work; rejects with UnavailableError otherwise. */
  readonly ready: () => Promise<void>
  /** The contract as JSON: the same bytes each time. */
  readonly contract: () => Uint8Array
  readonly sav: Pick<Sav, 'evidence' | 'limits'>
  /** Of the caller, as far as our own proxies tell. */
  readonly ip: string
}

/** What the API's operations work with. */
export type ApiSav = Omit<UseCases, 'accounts' | 'retention'> & Pick<Sav, 'audit'>

interface Described {
  readonly method: Method
  /** Segments, of which `{…}` stands for any: see places.ts. */
  readonly path: string
  /** Unique over all operations: the contract's `operationId`. */
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly answers: Answers<never, unknown>
  /** Refusals beyond those that follow from the rest of the declaration. */
  readonly failures?: readonly FailureKind[]
}

export interface KeyedRoute extends Described {
  /** What the key must hold. */
  readonly permission: Permission
  readonly query: z.ZodObject | null
  readonly body: z.ZodType | null
  readonly bodyIsOptional: boolean
  readonly example?: unknown
  /** True where the answer holds a secret: it is neither compressed nor kept in the clear. */
  readonly secret: boolean
  /** True where `If-Match` is looked at. */
  readonly conditional: boolean
  /** @throws Refusal, ValidationError for what can be told without the store */
  readonly read: (call: Arrived & { readonly room: BodyRoom }) => Promise<ReadCall>
}

/** Answers whoever asks. */
export interface PublicRoute extends Described {
  readonly permission: null
  readonly answer: (call: Arrived & Surroundings) => Promise<ApiResponse>
}

/** One operation of the API: how it is answered, and all that the contract says of it. */
export type Route = KeyedRoute | PublicRoute

const nothing = z.strictObject({})
type Nothing = typeof nothing

/** What the types of an operation tell a client. */
export interface Typed<M extends Method, Path extends string, Query, Body, Answer> {
  readonly method: M
  readonly path: Path
  /** Never there: types alone. */
  readonly types?: { readonly query: Query; readonly body: Body; readonly answer: Answer }
}

interface Declaration<M extends Method, Path extends string, Q extends z.ZodObject, B extends z.ZodType, Result, Answer>
  extends Omit<Described, 'method' | 'path' | 'answers'> {
  readonly method: M
  readonly path: Path
  readonly permission: Permission
  /** Like the body, a type here: the use case that gets it checks it. */
  readonly query?: Q
  readonly body?: B
  /** Without a body it is an empty object. */
  readonly bodyIsOptional?: true
  /** Of a body. */
  readonly example?: z.input<B>
  readonly secret?: true
  readonly conditional?: true
  readonly answers: Answers<Result, Answer>
  readonly handle: (call: {
    readonly sav: ApiSav
    readonly actor: Actor
    readonly request: ApiRequest
    readonly params: Params<Path>
    readonly query: z.input<Q>
    readonly body: z.input<B>
  }) => Promise<NoInfer<Result>>
}

/** An operation for those who hold a key. */
export function route<
  const M extends Method,
  const Path extends string,
  Result,
  Answer,
  Q extends z.ZodObject = Nothing,
  B extends z.ZodType = Nothing,
>(
  declaration: Declaration<M, Path, Q, B, Result, Answer>,
): KeyedRoute & Typed<M, Path, z.input<Q>, z.input<B>, Answer> {
  const { method, path, query, body, bodyIsOptional = false, secret = false, conditional = false } = declaration
  const { handle, answers, ...described } = declaration
  const written: Answers<unknown, unknown> = answers
  const paramsOf = paramsReader<Path>(path)
  const queryOf: (search: string) => z.input<Q> = query === undefined ? refuseQuery : queryReader(query)
  const bodyOf: (request: ApiRequest, room: BodyRoom) => Promise<JsonBody<z.input<B>>> =
    method === 'GET' ? unread : body === undefined ? refuseBody : bodyIsOptional ? readOptionalJson : readJson

  return {
    ...described,
    answers,
    query: query ?? null,
    body: body ?? null,
    bodyIsOptional,
    secret,
    conditional,
    async read({ request, room, texts, search }) {
      const given = { request, params: paramsOf(texts), query: queryOf(search) }
      const { bytes, value } = await bodyOf(request, room)
      return {
        body: bytes,
        run: (sav, actor) => handle({ sav, actor, ...given, body: value }),
        answerTo: (result) => written.write(result),
      }
    },
  }
}

/** An operation for whoever asks. */
export function publicRoute<const Path extends string, Result, Answer>({
  handle,
  answers,
  ...described
}: Omit<Described, 'method' | 'path' | 'answers'> & {
  readonly path: Path
  readonly answers: Answers<Result, Answer>
  readonly handle: (
    call: Surroundings & { readonly request: ApiRequest; readonly params: Params<Path> },
  ) => Promise<NoInfer<Result>>
}): PublicRoute & Typed<'GET', Path, z.input<Nothing>, z.input<Nothing>, Answer> {
  const paramsOf = paramsReader<Path>(described.path)
  return {
    ...described,
    method: 'GET',
    permission: null,
    answers,
    answer: async ({ texts, ...call }) => answers.write(await handle({ ...call, params: paramsOf(texts) })),
  }
}

function paramsReader<Path extends string>(path: Path): (texts: readonly string[]) => Params<Path> {
  const readers = placesIn(path).map((name) => ({ name, read: placeKind(name).read }))
  return (texts) => {
    const params = Object.create(null)
    for (const [index, { name, read }] of readers.entries()) params[name] = read(texts[index] ?? '')
    return params
  }
}

const readNothing = queryReader(nothing)

/** The empty input of an operation that takes none. */
const none = () => Object.create(null)

function refuseQuery(search: string) {
  if (search !== '') parse(nothing, readNothing(search))
  return none()
}

async function refuseBody(request: ApiRequest, room: BodyRoom) {
  const { bytes, value } = await readOptionalJson(request, room)
  parse(nothing, value)
  return { bytes, value: none() }
}

const noBytes = new Uint8Array()

const unread = async () => ({ bytes: noBytes, value: none() })
