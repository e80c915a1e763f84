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
export type Listed<T> = Paged<T> & Page
