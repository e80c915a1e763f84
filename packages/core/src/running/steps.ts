import { yieldToEventLoop } from './event-loop.js'

/** The rows of one step: some 60 kB of cases with long descriptions, which take 2 ms to read and serialise. */
export const rowsAtOnce = 25

/** Maps all items with `read`, `rowsAtOnce` at a time, and yields the event loop between the steps. */
export async function* inSteps<T, Row>(
  account_id: string,
  all: readonly T[],
  read: (step: readonly T[]) => readonly Row[] | Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, void> {
  for (let from = 0; from < all.length; from += rowsAtOnce) {
    await yieldToEventLoop(account_id)
    yield await read(all.slice(from, from + rowsAtOnce))
  }
}
