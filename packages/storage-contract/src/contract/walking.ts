import { everyItem } from '@sav/core/feature'
import type { Page, Paged } from '@sav/core/ports'
import type { Suite } from './suite.js'

interface Listed {
  readonly id: number
}

/** A repository's list, by page. */
export type List = (page: Page) => Promise<Paged<Listed>>

/**
 * Reads a list page by page, with `limite` items on each page, and calls `each` after each item. Resolves to the ids.
 */
export async function walked(list: List, limite: number, each = async (_: Listed) => {}): Promise<number[]> {
  const met: number[] = []
  for await (const item of everyItem(list, limite)) {
    met.push(item.id)
    await each(item)
  }
  return met
}

/** Expects that walks through a list of `count` items, in pages of several sizes, return the same as a single page. */
export const walksOf =
  (expect: Suite['expect']) =>
  async (list: List, count: number): Promise<void> => {
    const { items, total, next } = await list({ page: 1, limite: 200 })
    expect([items.length, total, next]).toEqual([count, count, undefined])
    const ids = items.map(({ id }) => id)
    for (const limite of [1, 3, count - 1, count, count + 1].filter((each) => each > 0))
      expect({ limite, ids: await walked(list, limite) }).toEqual({ limite, ids })
    // A walk may begin at any page; the total is always that of the whole list.
    const second = await list({ page: 2, limite: 3 })
    const third = second.next && (await list({ page: 1, limite: 3, after: second.next }))
    expect([...second.items, ...(third?.items ?? [])].map(({ id }) => id)).toEqual(ids.slice(3, 9))
    expect(third?.total ?? count).toBe(count)
  }
