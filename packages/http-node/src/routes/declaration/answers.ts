import { shapes } from '@sav/core/adapter'
import * as z from 'zod'
import { signedOut } from '../../http/cookies.js'
import { type ApiResponse, json, type Stream } from '../../http/exchange.js'
import type { Sheet } from '../../sheets/cells.js'
import { mediaTypeOf, type SheetFormat, writtenSheet } from '../../sheets/sheet.js'

/** The successful answer of an operation: how it is built from a result, and its description in the contract. */
export interface Answers<Result, Body> {
  readonly status: 200 | 201 | 202 | 303 | 308 | 404
  readonly description: string
  /** The schema of the whole body, if it is JSON. */
  readonly schema: shapes.Lazy<z.ZodType> | null
  readonly example?: () => unknown
  /** Never set: for types only. */
  readonly body?: Body
  /** The media types of a body that is not JSON. */
  readonly mediaTypes: readonly string[]
  /** Headers that only this answer has. */
  readonly headers: readonly AnswerHeader[]
  /** The operation's other answers. */
  readonly alternative: Answers<never, Body> | null
  /** A method, so that TypeScript also accepts the result of a transaction, whose type was lost. */
  write(result: Result): ApiResponse
}

export type AnswerHeader = 'Accept-Ranges' | 'Content-Disposition' | 'Location' | 'Range' | 'Retry-After'

const enveloped = <S extends z.ZodType>(data: S) => z.object({ success: z.literal(true), data })

const isJson = { mediaTypes: [], headers: [], alternative: null } as const

type Data<S extends z.ZodType> = { success: true; data: z.output<S> }

/** An answer with one thing, whose schema is `data`. */
const one = <S extends z.ZodType, Result extends shapes.DeepReadonly<z.input<S>>>(
  status: 200 | 201 | 202,
  data: shapes.Lazy<S>,
  { description, headers, valuesOf }: OneAnswer<Result>,
): Answers<Result, Data<S>> => ({
  ...isJson,
  status,
  description,
  schema: () => enveloped(data()),
  example: () => ({ success: true, data: shapes.exampleOf(data()) }),
  headers,
  write: (found) => json(status, { success: true, data: found }, valuesOf(found)),
})

interface OneAnswer<Result> {
  readonly description: string
  /** Headers that only this answer has. */
  readonly headers: readonly AnswerHeader[]
  /** Name, value, name, value … */
  readonly valuesOf: (result: Result) => readonly string[]
}

/** 200 with the thing itself. @param etag for a thing with a version. Default: the tag is computed from the bytes */
export const ok = <S extends z.ZodType>(
  data: shapes.Lazy<S>,
  description: string,
  etag?: (found: shapes.DeepReadonly<z.input<S>>) => string,
): Answers<shapes.DeepReadonly<z.input<S>>, Data<S>> =>
  one(200, data, { description, headers: [], valuesOf: (found) => (etag ? ['ETag', etag(found)] : []) })

/** 201 with the new thing. @param path its address, without its id */
export const created = <S extends z.ZodType<{ id: number | string }>>(
  data: shapes.Lazy<S>,
  description: string,
  path: string,
): Answers<shapes.DeepReadonly<z.input<S>> & { readonly id: number | string }, Data<S>> =>
  one(201, data, { description, headers: ['Location'], valuesOf: ({ id }) => ['Location', `${path}/${id}`] })

/** 201 with something that has no address. */
export const made = <S extends z.ZodType>(
  data: shapes.Lazy<S>,
  description: string,
): Answers<shapes.DeepReadonly<z.input<S>>, Data<S>> => one(201, data, { description, headers: [], valuesOf: () => [] })

/** 202 with work that continues after the answer. @param location the address of its progress */
export const accepted = <S extends z.ZodType>(
  data: shapes.Lazy<S>,
  description: string,
  location: (begun: shapes.DeepReadonly<z.input<S>>) => string,
): Answers<shapes.DeepReadonly<z.input<S>>, Data<S>> =>
  one(202, data, { description, headers: ['Location'], valuesOf: (begun) => ['Location', location(begun)] })

/** 202 with the progress of something that will be ready in a moment. */
export const notYet = <S extends z.ZodType>(
  data: shapes.Lazy<S>,
  description: string,
): Answers<shapes.DeepReadonly<z.input<S>>, Data<S>> =>
  one(202, data, { description, headers: ['Retry-After'], valuesOf: () => ['Retry-After', '1'] })

interface Items<S extends z.ZodType> {
  readonly items: readonly shapes.DeepReadonly<z.input<S>>[]
}

type ListData<S extends z.ZodType, P> = { success: true; data: z.output<S>[]; pagination: P }

const continued = () =>
  z.object({ curseur: z.string().nullable().meta({ description: 'The cursor of the next page; null on the last.' }) })

const numbered = () =>
  continued().extend({
    page: z.int().positive().describe('Page number, from 1. With a cursor, the first page read was 1.'),
    limite: z.int().positive().describe('The maximum number of items on a page.'),
    total: z.int().nonnegative().describe('The number of matches on all pages.'),
  })

type Pagination = shapes.Output<typeof numbered>

/** An answer with a part of a list. @param paginationOf reads the pagination from a result */
const list = <S extends z.ZodType, P>(
  item: shapes.Lazy<S>,
  description: string,
  { schema, example }: { readonly schema: shapes.Lazy<z.ZodType<P>>; readonly example: P },
  paginationOf: (part: P) => P,
): Answers<Items<S> & P, ListData<S, P>> => ({
  ...isJson,
  status: 200,
  description,
  schema: () => enveloped(z.array(item())).extend({ pagination: schema() }),
  example: () => ({ success: true, data: [shapes.exampleOf(item())], pagination: example }),
  write: (part) => json(200, { success: true, data: part.items, pagination: paginationOf(part) }),
})

/** 200 with one page of a list. */
export const page = <S extends z.ZodType>(
  item: shapes.Lazy<S>,
  description: string,
): Answers<Items<S> & Pagination, ListData<S, Pagination>> =>
  list(item, description, { schema: numbered, example: { page: 1, limite: 50, total: 1, curseur: null } }, (part) => ({
    page: part.page,
    limite: part.limite,
    total: part.total,
    curseur: part.curseur,
  }))

/** 200 with a part of a list without numbered pages, and the cursor of the next page. */
export const stretch = <S extends z.ZodType>(
  item: shapes.Lazy<S>,
  description: string,
): Answers<Items<S> & { readonly curseur: string | null }, ListData<S, { curseur: string | null }>> =>
  list(item, description, { schema: continued, example: { curseur: null } }, ({ curseur }) => ({ curseur }))

/** 200 without data. */
export function done(description: string): Answers<void, { success: true }> {
  return {
    ...isJson,
    status: 200,
    description,
    schema: () => z.object({ success: z.literal(true) }),
    example: () => ({ success: true }),
    write: () => json(200, { success: true }),
  }
}

/** The result of a write that may end the caller's own session. */
interface SessionEnd<Result> {
  readonly result: Result
  /** Whether the write has ended the caller's own session. */
  readonly isOwn: boolean
}

/** The same answer; if the caller's own session has ended, the browser deletes its cookie. */
export const orSignedOut = <Result, Body>(answers: Answers<Result, Body>): Answers<SessionEnd<Result>, Body> => ({
  ...answers,
  write({ result, isOwn }) {
    const answer = answers.write(result)
    return isOwn ? { ...answer, headers: [...answer.headers, ...signedOut] } : answer
  },
})

/** Bytes, or a stream of them. */
export interface Bytes {
  readonly media_type: string
  readonly content: string | Uint8Array | AsyncGenerator<Uint8Array, void, void>
  /** Value of the Cache-Control header. */
  readonly cache: string
  /** Name, value, name, value … */
  readonly headers?: readonly string[]
}

/** 200 with a body other than our JSON. */
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
      ...(typeof content === 'string' || content instanceof Uint8Array
        ? { body: content }
        : { body: '', pieces: content }),
    }),
  }
}

/** 200 with a file for a spreadsheet. */
export const sheet = (description: string): Answers<Bytes, Uint8Array> =>
  bytes(Object.values(mediaTypeOf), description, ['Content-Disposition'])

/** A sheet as an answer, which a browser saves. */
export function sheetFile(shown: Sheet, format: SheetFormat): Bytes {
  const media_type = format === 'csv' ? `${mediaTypeOf.csv}; charset=utf-8` : mediaTypeOf[format]
  return {
    media_type,
    content: writtenSheet(shown, format),
    cache: 'private, no-cache',
    headers: ['Content-Disposition', `attachment; filename="${shown.name}.${format}"`],
  }
}

/** 200 with server-sent events (HTML Living Standard §9.2), for as long as the client stays connected. */
export const eventStream = (description: string): Answers<Stream, never> => ({
  status: 200,
  description,
  schema: null,
  mediaTypes: [eventStreamType],
  headers: [],
  alternative: null,
  write: (stream) => ({
    status: 200,
    // Proxies such as nginx must not buffer the answer.
    headers: ['Content-Type', eventStreamType, 'Cache-Control', 'no-store', 'X-Accel-Buffering', 'no'],
    body: '',
    stream,
  }),
})

const eventStreamType = 'text/event-stream'

/** Whether an answer never ends by itself, so that no client reads it as a whole. */
export const isEndless = ({ mediaTypes }: Pick<Answers<never, unknown>, 'mediaTypes'>): boolean =>
  mediaTypes.includes(eventStreamType)

/** 404 with a page for people. */
export const missingPage = (description: string, mediaTypes = ['text/html']): Answers<Bytes, Uint8Array> => {
  const page = bytes(mediaTypes, description)
  return { ...page, status: 404, write: (missing) => ({ ...page.write(missing), status: 404 }) }
}

/** 303 to the page with the result of a form, by an address relative to the form's. */
export const seeOther = (description: string): Answers<string, Uint8Array> => ({
  status: 303,
  description,
  schema: null,
  mediaTypes: ['text/html'],
  headers: ['Location'],
  alternative: null,
  write: (location) => ({
    status: 303,
    headers: ['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', 'no-store', 'Location', location],
    body: '',
  }),
})

/** This answer and its alternatives. */
export const everyAnswer = (answers: Answers<never, unknown>): Answers<never, unknown>[] =>
  answers.alternative === null ? [answers] : [answers, ...everyAnswer(answers.alternative)]

/** One of two answers, depending on the result. */
export function either<A, B, X, Y>(
  one: Answers<A, X>,
  other: Answers<B, Y>,
  isOne: (result: A | B) => result is A,
): Answers<A | B, X | Y> {
  return { ...one, alternative: other, write: (result) => (isOne(result) ? one.write(result) : other.write(result)) }
}
