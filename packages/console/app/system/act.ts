import { changed } from '../api/changes.js'
import { saidOf } from './answered.js'
import { say, sayFailed } from './notices.js'

/**
 * Does what the user asked for, and shows an error if that fails. Then all screens read their data again.
 * @param done shown if it succeeded
 * @param undo takes the change back, if that is possible
 */
export async function act(work: () => Promise<unknown>, done?: string, undo?: () => unknown): Promise<void> {
  try {
    await work()
    if (done !== undefined) say(done, undo)
  } catch (error) {
    sayFailed(saidOf(error))
  }
  changed()
}
