import * as z from 'zod'
import { type Input, lazily } from '../values/lazily.js'

/** A page of a list. */
export const pageInput = lazily(() =>
  z.strictObject({
    limite: z.int().min(1).max(200).default(50).describe('How many a page has at most.'),
    page: z.int().min(1).max(1_000_000_000).default(1).describe('Page, from 1.'),
  }),
)
/** What `directory.poseurs.list` takes: `limite` is 1 to 200, 50 by default; `page` starts at 1. */
export type PageInput = Input<typeof pageInput>
