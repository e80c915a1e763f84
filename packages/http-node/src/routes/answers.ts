import * as z from 'zod'
import { type ApiResponse, json } from '../exchange.js'
import { exampleOf } from './shapes.js'

/** How an operation answers when it succeeds: what it makes of a result, and what the contract says of that. */
export interface Answers<Result, Body> {
  readonly status: 200 | 201 | 202
  readonly description: string
  /** Of the whole body, where that is JSON. */
  readonly schema: z.ZodType | null
  readonly example?: unknown
  /** Never there: a type alone. */
  readonly body?: Body
  /** Where the body is no JSON: what it may be. */
  readonly mediaTypes: readonly string[]
  /** Headers that this answer has and others have not. */
  readonly headers: readonly AnswerHeader[]
  /** What the operation may answer instead. */
  readonly alternative: Answers<never, Body> | null
  /** A method, so that what a transaction resolved to may be handed over although its type is forgotten. */
  write(result: Result): ApiResponse
}

export type AnswerHeader = 'Accept-Ranges' | 'Content-Disposition' | 'Location'

/** Schemas read mutable arrays; use cases give readonly ones. */
export type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Given<T[Key]> }
    : T

const enveloped = <S extends z.ZodType>(data: S) => z.object({ success: z.literal(true), data })

const isJson = { mediaTypes: [], headers: [], alternative: null } as const

type Data<S extends z.ZodType> = { success: true; data: z.output<S> }

/** 200 with the thing itself. @param etag where it has a version of its own; otherwise its tag is made of its bytes */
export function ok<S extends z.ZodType>(
  data: S,
  description: string,
  etag?: (found: Given<z.input<S>>) => string,
): Answers<Given<z.input<S>>, Data<S>> {
  return {
    ...isJson,
    status: 200,
    description,
    schema: enveloped(data),
    example: { success: true, data: exampleOf(data) },
    write: (found) => json(200, { success: true, data: found }, etag && ['ETag', etag(found)]),
  }
}

/** 201 with the new thing. @param path where it is found, without its id */
export function created<S extends z.ZodType<{ id: number | string }>>(
  data: S,
  description: string,
  path: string,
): Answers<Given<z.input<S>> & { readonly id: number | string }, Data<S>> {
  return {
    ...isJson,
    status: 201,
    description,
    schema: enveloped(data),
    example: { success: true, data: exampleOf(data) },
    headers: ['Location'],
    write: (made) => json(201, { success: true, data: made }, ['Location', `${path}/${made.id}`]),
  }
}

/** 202 with what was begun and goes on after the answer. @param location where its progress is seen */
export function accepted<S extends z.ZodType>(
  data: S,
  description: string,
  location: (begun: Given<z.input<S>>) => string,
): Answers<Given<z.input<S>>, Data<S>> {
  return {
    ...isJson,
    status: 202,
    description,
    schema: enveloped(data),
    example: { success: true, data: exampleOf(data) },
    headers: ['Location'],
    write: (begun) => json(202, { success: true, data: begun }, ['Location', location(begun)]),
  }
}

export interface Pagination {
  readonly page: number
  readonly limite: number
  readonly total: number
}

interface Items<S extends z.ZodType> {
  readonly items: readonly Given<z.input<S>>[]
}

interface Page<S extends z.ZodType> extends Items<S>, Pagination {}

interface Stretch<S extends z.ZodType> extends Items<S> {
  readonly curseur: string | null
}

type ListData<S extends z.ZodType> = { success: true; data: z.output<S>[] }

/** 200 with one page of a list. */
export function page<S extends z.ZodType>(
  item: S,
  description: string,
): Answers<Page<S>, ListData<S> & { pagination: Pagination }> {
  const pagination = z.object({
    page: z.int().positive(),
    limite: z.int().positive(),
    total: z.int().nonnegative().meta({ description: 'How many match, on all pages.' }),
  })
  return {
    ...isJson,
    status: 200,
    description,
    schema: enveloped(z.array(item)).extend({ pagination }),
    example: { success: true, data: [exampleOf(item)], pagination: { page: 1, limite: 50, total: 1 } },
    write: ({ items: data, page, limite, total }) =>
      json(200, { success: true, data, pagination: { page, limite, total } }),
  }
}

/** 200 with a part of a list that has no numbered pages. */
export function stretch<S extends z.ZodType>(
  item: S,
  description: string,
): Answers<Stretch<S>, ListData<S> & { pagination: { curseur: string | null } }> {
  const pagination = z.object({
    curseur: z.string().nullable().meta({ description: 'Gives what comes next; null at the end.' }),
  })
  return {
    ...isJson,
    status: 200,
    description,
    schema: enveloped(z.array(item)).extend({ pagination }),
    example: { success: true, data: [exampleOf(item)], pagination: { curseur: null } },
    write: ({ items: data, curseur }) => json(200, { success: true, data, pagination: { curseur } }),
  }
}

/** 200 and nothing to say. */
export function done(description: string): Answers<void, { success: true }> {
  return {
    ...isJson,
    status: 200,
    description,
    schema: z.object({ success: z.literal(true) }),
    example: { success: true },
    write: () => json(200, { success: true }),
  }
}

/** Bytes as they are. */
export interface Bytes {
  readonly media_type: string
  readonly content: string | Uint8Array
  /** Value of the Cache-Control header. */
  readonly cache: string
  /** Name, value, name, value … */
  readonly headers?: readonly string[]
}

/** 200 with something that is no JSON of ours. */
export function bytes(
  mediaTypes: readonly string[],
  description: string,
  headers: readonly AnswerHeader[] = [],
): Answers<Bytes, Uint8Array> {
  return {
    status: 200,
    description,
    schema: null,
    mediaTypes,
    headers,
    alternative: null,
    write: ({ media_type, content, cache, headers = [] }) => ({
      status: 200,
      headers: ['Content-Type', media_type, 'Cache-Control', cache, ...headers],
      body: content,
    }),
  }
}

/** One of two, as the result says. */
export function either<A, B, X, Y>(
  one: Answers<A, X>,
  other: Answers<B, Y>,
  isOne: (result: A | B) => result is A,
): Answers<A | B, X | Y> {
  return { ...one, alternative: other, write: (result) => (isOne(result) ? one.write(result) : other.write(result)) }
}
