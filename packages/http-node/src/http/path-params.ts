import { shapes } from '@sav/core/adapter'
import * as z from 'zod'

/** A parameter of a path. */
interface PathParam<T> {
  /** Parses the text. A malformed text gives a value that no store has, so it is answered like a missing one. */
  readonly read: (text: string) => T
  readonly schema: shapes.Lazy<z.ZodType<T>>
  readonly example: T
}

const number: PathParam<number> = {
  /** A positive integer up to 2^53 − 1, written canonically; otherwise 0. */
  read(text) {
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0
    return Number.isSafeInteger(id) ? id : 0
  },
  schema: shapes.lazily(() => shapes.idOf('the named thing')),
  example: 42,
}

/** @param example `wh_…`: the part before the underscore is the common prefix */
const prefixed = (example: string): PathParam<string> => {
  const prefix = example.slice(0, example.indexOf('_'))
  const shape = new RegExp(`^${prefix}_\\w{1,100}$`)
  return {
    // An id of another form is looked up too, so that the refusal names it.
    read: (text) => (/^\P{Cc}{1,100}$/u.test(text) ? text : ''),
    schema: shapes.lazily(() => z.string().regex(shape)),
    example,
  }
}

/** The secret of a calendar, with the `.ics` that calendar programs expect. The core refuses any other text. */
const calendar: PathParam<string> = {
  read: (text) => (text.endsWith('.ics') ? text.slice(0, -'.ics'.length) : ''),
  schema: shapes.lazily(() => z.string().regex(/\.ics$/)),
  example: shapes.examples.calendar,
}

/** The secret in the address of a customer's page; the core refuses a text that is not one. */
const rdvPage: PathParam<string> = {
  read: (text) => text,
  schema: shapes.lazily(() => z.string()),
  example: shapes.examples.rdvPage,
}

/** The type, the subject and the number of a follow-up. */
const followUp: PathParam<string> = {
  read: (text) => (/^[\w-]{1,200}$/.test(text) ? text : ''),
  schema: shapes.lazily(() => z.string().regex(/^[a-z_]+-[\w-]+$/)),
  example: shapes.examples.followUp,
}

const sha256: PathParam<string> = {
  read: (text) => text,
  schema: shapes.lazily(() => z.hash('sha256')),
  example: shapes.examples.hash,
}

/** The parameters by their names in a path: `{id}` in `/api/v1/sav/{id}` is a number. */
const pathParams = {
  calendar,
  hash: { ...sha256, schema: shapes.lazily(() => z.string()) },
  id: number,
  followUp,
  endpoint: prefixed(shapes.examples.endpoint),
  delivery: prefixed(shapes.examples.delivery),
  key: prefixed(shapes.examples.key),
  user: prefixed(shapes.examples.user),
  session: prefixed(shapes.examples.session),
  appareil: prefixed(shapes.examples.session),
  passkey: prefixed(shapes.examples.passkey),
  replay: prefixed(shapes.examples.replay),
  rdvPage,
  sha256,
} as const

/** A parameter of a third-party feature. */
const text: PathParam<string> = {
  read: (text) => (/^\P{Cc}{1,200}$/u.test(text) ? text : ''),
  schema: shapes.lazily(() => z.string().min(1).max(200)),
  example: 'texte',
}

type PathParams = typeof pathParams
type PathParamName = keyof PathParams

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** The parameters of `Path`, by name. */
export type Params<Path extends string> = {
  readonly [Name in NamesIn<Path>]: Name extends PathParamName ? PathParams[Name]['example'] : string
}

export const paramNamesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** Whether this parameter is declared here. Its text then identifies one thing. */
export const isPathParam = (name: string): name is PathParamName => Object.hasOwn(pathParams, name)

export const pathParam = (name: string): PathParam<number> | PathParam<string> =>
  isPathParam(name) ? pathParams[name] : text
