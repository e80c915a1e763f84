import * as z from 'zod'
import { type Input, lazily } from './lazily.js'

/** One page of a list: `page` starts at 1, `limite` is at least 1. */
export interface Page {
  readonly page: number
  readonly limite: number
}

/** One page of a list, with the length of the whole. */
export interface Paged<T> {
  readonly items: T[]
  /** Number of all matches, not only of this page's. */
  readonly total: number
}

/** One page of a list, and which one it is. */
export type ListPage<T> = Paged<T> & Page

/** Which page of a list is asked for. */
export const pageInput = lazily(() =>
  z.strictObject({
    limite: z.int().min(1).max(200).default(50).describe('How many a page has at most.'),
    page: z.int().min(1).max(1_000_000_000).default(1).describe('Page, from 1.'),
  }),
)
/** What `directory.poseurs.list` takes: `limite` is 1 to 200, 50 by default; `page` starts at 1. */
export type PageInput = Input<typeof pageInput>
