import { UnavailableError } from '@sav/core/ports'

/** The store lacks a table or column that a statement names. */
export class NotMigratedError extends UnavailableError {
  constructor(cause: Error) {
    const problem = `The store lacks migrations (${cause.message}): call storage.migrate() first, or run \`sav migrate\`.`
    super(problem, { cause, retryAfterSeconds: 5 })
  }
}
