import * as z from 'zod'
import { type AskedPart, cursor, cursorAfter, type ListOrder, type Place, pageNumber } from './cursor.js'
import { lazily } from './lazily.js'

/** One page of a list: `page` starts at 1, `limite` is at least 1. */
export interface Page {
  readonly page: number
  readonly limite: number
  /**
   * If given, `page` is ignored, and the page begins after this position, even if the item at that position no longer
   * exists.
   */
  readonly after?: Place | undefined
}

/** One page of a list, with the length of the whole. */
export interface Paged<T> {
  readonly items: T[]
  /** The number of all matches, not only of this page. */
  readonly total: number
  /** The position of the last item, if others follow. */
  readonly next?: Place | undefined
}

/** One page of a list, with its number. */
export interface ListPage<T> extends Pick<Paged<T>, 'items' | 'total'> {
  /** The number of the page. With a cursor, it is counted from the page where the walk began. */
  readonly page: number
  readonly limite: number
  /** The cursor for the next page. It stays valid when items are added, changed or removed. Null on the last page. */
  readonly curseur: string | null
}

/**
 * The requested page of a list: `limite` is 1 to 200, 50 by default; `page` starts at 1. A `curseur` begins after the
 * page that returned it; the filters must be given again.
 */
export const pageFields = lazily(() => ({
  limite: z.int().min(1).max(200).default(50).describe('The maximum number of items on a page.'),
  page: z.int().min(1).max(1_000_000_000).optional().meta({ default: 1, description: 'Page, from 1.' }),
  curseur: cursor(),
}))

/** The input of a list. */
export const pageOf = ({ page = 1, limite, curseur }: AskedPart): Page => ({ page, limite, after: curseur?.place })

/** The answer of a list. */
export const listPage = <T, View>(
  order: ListOrder,
  asked: AskedPart,
  { items, total, next }: Paged<T>,
  view: (item: T) => View,
): ListPage<View> => ({
  items: items.map(view),
  total,
  page: pageNumber(asked),
  limite: asked.limite,
  curseur: cursorAfter(order, asked, next),
})

/**
 * Every item of a list, read page by page. An item that changes meanwhile comes once, or not at all if it leaves the
 * list.
 */
export async function* everyItem<T>(
  list: (page: Page) => Promise<Paged<T>>,
  limite = 200,
): AsyncGenerator<T, void, undefined> {
  for (let after: Place | undefined; ; ) {
    const { items, next } = await list({ page: 1, limite, after })
    yield* items
    if (next === undefined) return
    after = next
  }
}
