import type { Actor, Permission } from '@sav/core'
import { parse } from '@sav/core'
import * as z from 'zod'
import { type ApiRequest, type ApiResponse, json } from '../exchange.js'
import { readJson, readOptionalJson } from '../json-body.js'
import { queryReader } from '../query.js'

/** A call whose key may make it. */
export interface Call {
  readonly actor: Actor
  readonly request: ApiRequest
  /** What stands in the pattern's places, in their order, decoded. */
  readonly params: readonly string[]
  /** As sent, without its question mark. */
  readonly search: string
}

interface Place {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Segments, of which `{…}` stands for any: `/api/v1/sav/{id}`. */
  readonly pattern: string
}

export interface KeyedRoute extends Place {
  /** What the key must hold. */
  readonly permission: Permission
  readonly answer: (call: Call) => Promise<ApiResponse>
}

/** Answers whoever asks. */
export interface PublicRoute extends Place {
  readonly permission: null
  readonly answer: () => Promise<ApiResponse>
}

/** One operation of the API. */
export type Route = KeyedRoute | PublicRoute

const nothing = z.strictObject({})
const readNothing = queryReader(nothing)

/** A GET whose query is what `query` takes; the use case that gets it checks it. */
export function read<Q extends z.ZodObject>(
  { query, ...route }: Omit<KeyedRoute, 'method' | 'answer'> & { readonly query: Q },
  handle: (call: Call, query: z.input<Q>) => Promise<ApiResponse>,
): KeyedRoute {
  const readQuery = queryReader(query)
  return { ...route, method: 'GET', answer: async (call) => handle(call, readQuery(call.search)) }
}

/** A GET without a query. */
export function readOne(
  route: Omit<KeyedRoute, 'method' | 'answer'>,
  handle: (call: Call) => Promise<ApiResponse>,
): KeyedRoute {
  return {
    ...route,
    method: 'GET',
    async answer(call) {
      refuseQuery(call)
      return handle(call)
    },
  }
}

/** A write whose body is what `body` takes: here that is a type, and the use case that gets it checks it. */
export function write<B extends z.ZodType>(
  { body: _, ...route }: Omit<KeyedRoute, 'answer'> & { readonly body: B },
  handle: (call: Call, body: z.input<B>) => Promise<ApiResponse>,
): KeyedRoute {
  return {
    ...route,
    async answer(call) {
      refuseQuery(call)
      return handle(call, await readJson(call.request))
    },
  }
}

/** A write whose body may be left out: it is an empty object then. Otherwise like `write`. */
export function optionalWrite<B extends z.ZodType>(
  { body: _, ...route }: Omit<KeyedRoute, 'answer'> & { readonly body: B },
  handle: (call: Call, body: z.input<B>) => Promise<ApiResponse>,
): KeyedRoute {
  return {
    ...route,
    async answer(call) {
      refuseQuery(call)
      return handle(call, await readOptionalJson(call.request))
    },
  }
}

/** A write that takes nothing but its address. */
export function command(route: Omit<KeyedRoute, 'answer'>, handle: (call: Call) => Promise<ApiResponse>): KeyedRoute {
  return optionalWrite({ ...route, body: nothing }, (call, body) => {
    parse(nothing, body)
    return handle(call)
  })
}

function refuseQuery({ search }: Call): void {
  if (search !== '') parse(nothing, readNothing(search))
}

/** An id that no store gives: whatever is not an id is answered exactly like one that does not exist. */
const missing = 0

/** The pattern's first place as an id: a positive integer up to 2^53 − 1, written canonically. */
export function idOf({ params: [text = ''] }: Call): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : missing
  return Number.isSafeInteger(id) ? id : missing
}

/** A place of the pattern as an id such as `wh_…`; whatever is not one is an id that no store gives. */
export function keyOf({ params }: Call, place = 0): string {
  const text = params[place] ?? ''
  return /^[a-z]{2,4}_\w{1,100}$/.test(text) ? text : ''
}

export const ok = (data: unknown, headers?: readonly string[]): ApiResponse =>
  json(200, { success: true, data }, headers)

/** @param path where the new thing is found, without its id */
export const created = <T extends { readonly id: number | string }>(path: string, data: T): ApiResponse =>
  json(201, { success: true, data }, ['Location', `${path}/${data.id}`])

/**
 * What was begun and goes on after the answer.
 * @param location where its progress is seen
 */
export const accepted = (data: unknown, location: string): ApiResponse =>
  json(202, { success: true, data }, ['Location', location])

/** One page of a list. */
export const listed = <T>(found: {
  readonly items: readonly T[]
  readonly page: number
  readonly limite: number
  readonly total: number
}): ApiResponse => {
  const { items: data, page, limite, total } = found
  return json(200, { success: true, data, pagination: { page, limite, total } })
}
