import * as z from 'zod'

/** What may stand in a place of a path. */
interface PlaceKind<T> {
  /** What the text stands for; what no store gives, where it is no such thing: it is answered like one that is missing. */
  readonly read: (text: string) => T
  readonly schema: z.ZodType<T>
  readonly example: T
}

const number: PlaceKind<number> = {
  /** A positive integer up to 2^53 − 1, written canonically; otherwise 0. */
  read(text) {
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0
    return Number.isSafeInteger(id) ? id : 0
  },
  schema: z.int().positive(),
  example: 42,
}

const prefixed = (prefix: string, name: string): PlaceKind<string> => {
  const shape = new RegExp(`^${prefix}_\\w{1,100}$`)
  return {
    read: (text) => (shape.test(text) ? text : ''),
    schema: z.string().regex(shape),
    example: `${prefix}_${name}`,
  }
}

const sha256: PlaceKind<string> = {
  read: (text) => text,
  schema: z.hash('sha256'),
  example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}

/** Every place by its name in a path: `/api/v1/sav/{id}` has a number there. */
export const places = {
  hash: { ...sha256, schema: z.string() },
  id: number,
  endpoint: prefixed('wh', '01ka0z7m3q8d'),
  delivery: prefixed('dlv', '01ka0z7m3q8d'),
  key: prefixed('key', '01ka0z7m3q8d'),
  replay: prefixed('rpl', '01ka0z7m3q8d'),
  sha256,
} as const

type Places = typeof places
export type PlaceName = keyof Places

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** What stands in the places of `Path`, by name. */
export type Params<Path extends string> = {
  readonly [Name in NamesIn<Path> & PlaceName]: Places[Name]['example']
}

export const placesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const isPlace = (name: string): name is PlaceName => Object.hasOwn(places, name)

/** @throws RangeError for a path with a place of a name that nobody has described */
export function placeKind(name: string): PlaceKind<number> | PlaceKind<string> {
  if (!isPlace(name)) throw new RangeError(`no place is called {${name}}`)
  return places[name]
}
