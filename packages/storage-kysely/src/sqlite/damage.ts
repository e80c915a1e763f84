import { UnavailableError } from '@sav/core/ports'

/** Nothing but a backup mends it: soon is no use. */
const retryAfterSeconds = 60

/** What the callers get who met a page of the file `path` that is not as SQLite wrote it. */
export const damagedAt = (path: string, cause?: unknown): UnavailableError =>
  new UnavailableError(
    `The store is damaged at ${path}: stop, then restore the last backup (sav restore BACKUP --to sqlite:PATH).`,
    { cause, retryAfterSeconds, damaged: true },
  )

/** Whether SQLite's error says so. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CORRUPT')
