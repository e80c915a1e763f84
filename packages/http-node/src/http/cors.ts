import type { ApiRequest } from './exchange.js'

const exposed = [
  'Content-Disposition',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'X-Key-Expires-At',
  'X-Request-Id',
].join(', ')

const accepted = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Range',
  'X-Request-Id',
  'X-Request-Timestamp',
].join(', ')

/** How long a browser may cache a preflight. */
const preflightSeconds = 7200

/**
 * The headers that allow pages of `origins` to call; none for a page of another origin. The browser sends no cookies
 * with such calls, so these pages need a key.
 * @throws RangeError for a text that is not an origin
 */
export function corsHeaders(
  origins: readonly string[],
): (request: ApiRequest, allowed: string | undefined) => string[] {
  for (const origin of origins)
    if (URL.parse(origin)?.origin !== origin)
      throw new RangeError(`corsOrigins: ${origin} is not an origin such as https://app.example`)
  return (request, allowed) => {
    const origin = request.header('origin')
    if (origin === undefined || !origins.includes(origin)) return []
    const headers = ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposed]
    if (allowed === undefined || request.header('access-control-request-method') === undefined) return headers
    return [
      ...headers,
      'Access-Control-Allow-Methods',
      allowed,
      'Access-Control-Allow-Headers',
      accepted,
      'Access-Control-Max-Age',
      String(preflightSeconds),
    ]
  }
}
