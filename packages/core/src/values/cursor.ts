import * as z from 'zod'
import { issue } from '../refusals/reason.js'
import { type Lazy, lazily } from './lazily.js'
import { shortText } from './validation.js'

/** A position in a list: the values that the list is sorted by, the last of which is the id. */
export type Place = readonly (string | number)[]

/** An order that a list can have. */
export interface ListOrder {
  /** Unique among all lists, so that other lists refuse its cursors. */
  readonly name: string
  /** The values of a position. */
  readonly place: Lazy<z.ZodType<Place>>
}

/** The position where a page ended, and the number of the next page. */
export interface Cursor {
  readonly order: string
  readonly page: number
  readonly place: Place
}

/** A value of a position: a text that every database can compare. */
export const textInPlace = lazily(() => z.string().refine((value) => value.isWellFormed() && !value.includes('\0')))

/** An order of a list, with the schema of each value of its positions. @param name unique among all lists */
export const listOrder = (name: string, ...values: readonly Lazy<z.ZodType<string | number>>[]): ListOrder => ({
  name,
  place: lazily(() =>
    z
      .array(z.union([z.string(), z.number()]))
      .length(values.length)
      .refine((place) => values.every((value, index) => value().safeParse(place[index]).success)),
  ),
})

const cursorOf = ({ order, page, place }: Cursor): string =>
  Buffer.from(JSON.stringify([order, page, ...place])).toString('base64url')

const sentCursor = lazily(() =>
  z
    .tuple([z.string(), z.int().positive()], z.union([z.string(), z.number()]))
    .transform(([order, page, ...place]): Cursor => ({ order, page, place })),
)

/** The longest cursor. It suffices for the longest order, which contains the folded name of a client. */
const maxLength = 8000

/** A cursor as sent. `followsOrder` checks its order. */
export const cursor = lazily(() =>
  shortText(maxLength)
    .transform((text, context): Cursor => {
      const { success, data } = sentCursor().safeParse(jsonIn(text))
      if (success) return data
      context.addIssue({ code: 'custom', message: issue('not_a_cursor') })
      return z.NEVER
    })
    .optional()
    .describe('The `curseur` of the previous page.'),
)

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
}

/** The requested part of a list. */
export interface AskedPart {
  readonly limite: number
  readonly page?: number | undefined
  readonly curseur?: Cursor | undefined
}

/** Checks the input of a list: the cursor belongs to the list's order, and no page is given with it. */
export const followsOrder =
  <Asked>(orderOf: (asked: Asked) => ListOrder) =>
  ({ value, issues }: z.core.ParsePayload<Asked & Pick<AskedPart, 'curseur' | 'page'>>): void => {
    const { curseur, page } = value
    if (curseur === undefined) return
    const refuse = (field: 'curseur' | 'page', message: string) =>
      issues.push({ code: 'custom', path: [field], message, input: value })
    const { name, place } = orderOf(value)
    if (curseur.order !== name || !place().safeParse(curseur.place).success) refuse('curseur', issue('not_a_cursor'))
    if (page !== undefined) for (const field of ['curseur', 'page'] as const) refuse(field, issue('page_or_cursor'))
  }

/** The cursor after `next`; null at the end of the list. */
export const cursorAfter = ({ name }: ListOrder, asked: AskedPart, next: Place | undefined): string | null =>
  next === undefined ? null : cursorOf({ order: name, page: pageNumber(asked) + 1, place: next })

/** The number of a page. With a cursor, it is counted from the page where the walk began. */
export const pageNumber = ({ page, curseur }: Pick<AskedPart, 'curseur' | 'page'>): number => page ?? curseur?.page ?? 1

/** One page of a list that has no numbered pages. */
export interface CursorPage<View> {
  readonly items: View[]
  /** The cursor for the next page; null on the last one. */
  readonly curseur: string | null
}

/** The rows of one page, from `found`, which has one row more if another page follows. */
export function cursorPage<Row>(
  order: ListOrder,
  asked: AskedPart,
  found: readonly Row[],
  placeOf: (row: Row) => Place,
): CursorPage<Row> {
  const items = found.slice(0, asked.limite)
  const last = items.at(-1)
  const next = found.length > asked.limite && last !== undefined ? placeOf(last) : undefined
  return { items, curseur: cursorAfter(order, asked, next) }
}
