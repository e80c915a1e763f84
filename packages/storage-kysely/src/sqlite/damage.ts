import { UnavailableError } from '@sav/core/ports'

/** Only a backup repairs it: retrying soon does not help. */
const retryAfterSeconds = 60

/** The error for callers that hit a damaged page of the file `path`. */
export const damagedAt = (path: string, cause?: unknown): UnavailableError =>
  new UnavailableError(
    `The store is damaged at ${path}: stop, then restore the last backup (sav restore BACKUP --to sqlite:PATH).`,
    { cause, retryAfterSeconds, damaged: true },
  )

/** Whether SQLite's error reports damage. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CORRUPT')
