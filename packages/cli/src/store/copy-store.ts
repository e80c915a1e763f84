import { type Copied, copyStore as copy, type Store } from '@sav/storage-kysely/copy'
import { withWords } from './copy-refusals.js'

export type { Copied }

/**
 * Brings every row of a store into another, empty one, of either kind. A copy that was interrupted goes on where it
 * stopped; until it is whole and verified, no command takes the target for a store.
 * @throws CommandError for a source in use or on another schema, a target that is not empty, and a copy that differs
 */
export async function copyStore(
  from: Store,
  to: Store,
  progress?: (what: string, rows: number) => void,
): Promise<Copied> {
  try {
    return await copy(from, to, progress)
  } catch (error) {
    throw withWords(error)
  }
}
