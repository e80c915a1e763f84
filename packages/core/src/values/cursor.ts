import * as z from 'zod'
import { issue } from '../refusals/reason.js'
import { shortText } from './validation.js'

/** A position in a list that is ordered by an instant, then by an id. */
export interface Position {
  readonly at: string
  readonly id: string
}

const cursorOf = ({ at, id }: Position): string => Buffer.from(`${at} ${id}`).toString('base64url')

/**
 * Parses a text of `cursorOf` to its position.
 * @param prefix of the ids in the list
 */
export function cursor(prefix: string) {
  const shape = new RegExp(`^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z) (${prefix}_\\w{1,100})$`)
  return shortText(200).transform((text, context): Position => {
    const [, at, id] = shape.exec(Buffer.from(text, 'base64url').toString()) ?? []
    if (at !== undefined && id !== undefined) return { at, id }
    context.addIssue({ code: 'custom', message: issue('not_a_cursor') })
    return z.NEVER
  })
}

/** One page of a list that goes on at a cursor. */
export interface CursorPage<View> {
  readonly items: View[]
  /** Gives the next page; null on the last one. */
  readonly curseur: string | null
}

/** The first `limit` rows of `found`, which was asked for one more to know whether there is a next page. */
export function cursorPage<Row extends { readonly id: string }, View>(
  found: readonly Row[],
  limit: number,
  atOf: (row: Row) => string,
  view: (row: Row) => View,
): CursorPage<View> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const goesOn = found.length > limit && last !== undefined
  return { items: items.map(view), curseur: goesOn ? cursorOf({ at: atOf(last), id: last.id }) : null }
}
