import { Driver } from './connection.js'
import { asUnavailable } from './errors.js'

/**
 * Locks a file, which it creates if necessary, until the lock is released or this process ends. Returns the function
 * that releases it; null if another process holds it.
 * @throws UnavailableError if the file cannot be created
 */
export function lockFile(file: string): (() => void) | null {
  let held: InstanceType<typeof Driver> | undefined
  try {
    held = new Driver(file, { timeout: 0 })
    const lock = held
    // Creates no journal file.
    lock.pragma('journal_mode = MEMORY')
    lock.exec('begin exclusive')
    return () => lock.close()
  } catch (error) {
    held?.close()
    if (error instanceof Driver.SqliteError && error.code === 'SQLITE_BUSY') return null
    throw asUnavailable(error)
  }
}
