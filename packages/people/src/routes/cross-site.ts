import type { Reason } from '@sav/core'
import type { ApiRequest } from '@sav/http-node'
import { Refusal } from '@sav/http-node/feature'
import { reason } from '../refusals.js'
import type { ConsoleOrigin } from './console-origin.js'

/**
 * Refuses requests that another site's page makes the browser send with our cookie. A write must have our origin, and a
 * header that only our pages can set. For a read, a header that the browser itself sets decides: Sec-Fetch-Site.
 * @throws Refusal
 */
export function refuseCrossSite(request: ApiRequest, consoleOrigin: ConsoleOrigin): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const problem = isRead ? readProblem(request) : writeProblem(request, consoleOrigin)
  if (problem !== null) throw new Refusal('cross_site', { because: problem })
}

const readProblem = (request: ApiRequest) =>
  request.header('sec-fetch-site') === 'same-origin' ? null : reason('read_from_other_site')

function writeProblem(request: ApiRequest, consoleOrigin: ConsoleOrigin): Reason | null {
  const own = consoleOrigin(request)
  if (own === null || request.header('origin') !== own) return reason('write_from_other_site')
  return request.header('x-sav-console') === '1' ? null : reason('console_header_missing')
}
