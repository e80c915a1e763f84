import { setTimeout } from 'node:timers/promises'
import { UnavailableError } from '@sav/core/ports'
import { NotMigratedError } from '../storage/not-migrated.js'
import { Driver, takenByOwner } from './connection.js'
import { damagedAt, isDamage } from './damage.js'

const full = 'The disk is full: make room.'

const reasons = [
  ['SQLITE_BUSY', 'The database is busy: another process, or another connection of this one, keeps it locked.'],
  ['SQLITE_FULL', full],
  // No space for the index of the log, which the first process to open the file creates.
  ['SQLITE_IOERR_SHMSIZE', full],
  ['SQLITE_IOERR', 'The disk failed.'],
  ['SQLITE_READONLY', 'The database is read-only.'],
  ['SQLITE_CANTOPEN', 'The database file cannot be opened'],
] as const

const notThere = /^no such (table|column): |has no column named /

/**
 * The error for the storage's callers, which says if the store is busy, full or unavailable.
 * @param path of a file read without `SqliteConnection`, which reports damage itself
 */
export function asUnavailable(error: unknown, path?: string): unknown {
  if (path !== undefined && isDamage(error)) return damagedAt(path, error)
  if (!(error instanceof Driver.SqliteError)) return error
  if (error.code === 'SQLITE_ERROR' && notThere.test(error.message)) return new NotMigratedError(error)
  const reason = reasons.find(([code]) => error.code.startsWith(code))
  if (reason === undefined) return error
  const [code, message] = reason
  const told = error.message === takenByOwner ? takenByOwner : message
  const sentence = code === 'SQLITE_CANTOPEN' ? `${message}${path === undefined ? '' : `: ${path}`}.` : told
  return new UnavailableError(sentence, { cause: error, retryAfterSeconds: code === 'SQLITE_BUSY' ? 1 : 10 })
}

/**
 * The result of `attempt` once no other process locks the database. Waits without blocking the event loop: the
 * transaction that it waits for may depend on it.
 * @param path as for `asUnavailable`
 * @throws UnavailableError after `deadline` (of `performance.now()`)
 */
export async function whenNotBusy<T>(attempt: () => T, deadline: number, path?: string): Promise<T> {
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      const busy = error instanceof Driver.SqliteError && error.code.startsWith('SQLITE_BUSY')
      if (!busy || performance.now() >= deadline) throw asUnavailable(error, path)
    }
    // It tries often, because a busy process releases the lock only for moments.
    await setTimeout(1 + Math.random())
  }
}
