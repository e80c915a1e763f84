import type { Operations } from '@sav/client'
import type { Words } from './fr.js'

type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Every call that writes. The planning calls have two addresses; those below /api/v1/planning/ are left out. */
type Act = {
  [M in WriteMethod]: `${M} ${Exclude<keyof Operations[M] & string, `/api/v1/planning/${string}`>}`
}[WriteMethod]

/** The acts whose names are in the words of a page, under `acts`. */
type ActOfPage = {
  [Page in keyof Words]: Words[Page] extends { readonly acts: infer Acts } ? keyof Acts : never
}[keyof Words]

/** The names of all other acts. */
export type ActNames = Readonly<Record<Exclude<Act, ActOfPage>, string>>

/** The name of an act in the words of a page; undefined: it has none. */
export const actOfPage = (words: Words, act: string): string | undefined =>
  Object.values(words)
    .map((page): string | undefined => Object(page).acts?.[act])
    .find((name) => name !== undefined)
