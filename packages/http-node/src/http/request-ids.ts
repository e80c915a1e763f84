import type { Random } from '@sav/core/ports'
import type { ApiRequest } from './exchange.js'
import { holdsSecret } from './logged-path.js'

/** The caller's own id of the request, if it is safe for a log line. */
export function requestIdOf(request: ApiRequest): string | undefined {
  const given = request.header('x-request-id')
  const isOne = given !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(given) && !holdsSecret(given)
  return isOne ? given : undefined
}

/** Creates request ids. The first part is globally unique, and the second part counts within the process. */
export function requestIds(random: Random): () => string {
  const process = Buffer.from(random(9)).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}
