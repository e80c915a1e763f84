import type { Write } from '@sav/core'
import { parse, shapes } from '@sav/core/adapter'
import type { Feature } from '@sav/core/feature'
import * as z from 'zod'
import type { ApiRequest, BodyBudget } from '../../http/exchange.js'
import { type JsonBody, readJson, readOptionalJson } from '../../http/json-body.js'
import { type Params, paramNamesIn, pathParam } from '../../http/path-params.js'
import { queryReader } from '../../http/query.js'
import type {
  DescribedBody,
  Nothing,
  OperationTypes,
  PublicDeclaration,
  PublicRoute,
  ReadDeclaration,
  ReadRoute,
  RouteSav,
  Takes,
  WriteDeclaration,
  WriteMethod,
  WriteRoute,
  WritesOfAccount,
} from './route.js'

const nothing = shapes.lazily((): Nothing => z.strictObject({}))

/** Declares operations of the features `F`, with their use cases besides those of the core. */
export function routesOf<F extends Feature = never>() {
  type S = RouteSav<F>

  /** An operation that reads, for callers with a key. */
  function readRoute<const Path extends string, Result, Answer, Q extends z.ZodObject = Nothing>({
    handle,
    answers,
    query,
    ...described
  }: ReadDeclaration<S, Path, Q, Result, Answer>): ReadRoute<S> &
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

  /** An operation that writes, for callers with a key. */
  function writeRoute<
    const M extends WriteMethod,
    const Path extends string,
    Result,
    Answer,
    Q extends z.ZodObject = Nothing,
    B extends z.ZodType = Nothing,
  >(
    declaration: WriteDeclaration<S, WritesOfAccount<F>, M, Path, Q, B, Result, Answer> & Takes<B>,
  ): WriteRoute<S> & OperationTypes<M, Path, z.input<Q>, z.input<B>, Answer> {
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

  /** An operation for callers without a key. */
  const publicRoute = <const Path extends string, Result, Answer>(
    declaration: PublicDeclaration<S, Path, Result, Answer>,
  ): PublicRoute<S> & OperationTypes<'GET', Path, z.input<Nothing>, z.input<Nothing>, Answer> =>
    unkeyed('GET', null, declaration)

  /** The operation behind the form of a page, for callers without a key. */
  const formRoute = <const Path extends string, Result, Answer>({
    form,
    ...declaration
  }: PublicDeclaration<S, Path, Result, Answer> & { readonly form: shapes.Lazy<z.ZodType> }): PublicRoute<S> &
    OperationTypes<'POST', Path, z.input<Nothing>, z.input<Nothing>, Answer> => unkeyed('POST', form, declaration)

  function unkeyed<const M extends 'GET' | 'POST', const Path extends string, Result, Answer>(
    method: M,
    form: shapes.Lazy<z.ZodType> | null,
    { handle, answers, ...described }: PublicDeclaration<S, Path, Result, Answer>,
  ): PublicRoute<S> & OperationTypes<M, Path, z.input<Nothing>, z.input<Nothing>, Answer> {
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

  return { readRoute, writeRoute, publicRoute, formRoute }
}

/** Operations of the core. */
export const { readRoute, writeRoute, publicRoute, formRoute } = routesOf()

/** The same write, with its result converted by `resultOf`. */
export const withResult = <From, To>(write: Write<From>, resultOf: (result: From) => To): Write<To> => ({
  ...write,
  write: async (tx, prepared) => resultOf(await write.write(tx, prepared)),
})

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

/** Refuses an If-Match that the operation would ignore, since the caller relies on it. @throws ValidationError */
export function refuseCondition(request: Pick<ApiRequest, 'header'>): void {
  const condition = request.header('if-match')
  if (condition !== undefined && condition.trim() !== '*') parse(nothing, { 'If-Match': condition })
}

async function refuseBody(request: ApiRequest, budget: BodyBudget) {
  const { bytes, value } = await readOptionalJson(request, budget)
  parse(nothing, value)
  return { bytes, value: none() }
}
