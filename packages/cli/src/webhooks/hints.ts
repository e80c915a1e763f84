import type { DeliveryView } from '@sav/core'

const hints: readonly (readonly [RegExp, hint: string])[] = [
  [/endpoint removed/, 'The endpoint was removed: nothing goes there any more.'],
  [
    /certificate|self.signed|SSL|TLS/i,
    "The receiver's certificate does not hold: is it expired, of another name, or without its chain?",
  ],
  [
    /ENOTFOUND|EAI_AGAIN|getaddrinfo/i,
    'The name of the receiver leads nowhere: mistyped, or its DNS is away. sav webhooks update ID --url …',
  ],
  [/ECONNREFUSED/i, 'Nobody listens there: is the receiver running, and is the port right?'],
  [
    /ECONNRESET|socket hang up|other side closed/i,
    'The receiver hung up: often a proxy before it, or a process that crashed.',
  ],
  [
    /time.?out|no answer|too late/i,
    'The receiver takes too long: let it answer first and work afterwards (SAV_WEBHOOK_TIMEOUT).',
  ],
  [/private|not allowed|refused address/i, 'It is at a private address: SAV_WEBHOOK_ALLOW_CIDRS, if that is meant.'],
]

/** The likely cause of a failure, and what to do; null where nothing failed, or the error says enough. */
export function hintOf({
  state,
  last_status: status,
  last_error: error,
}: Pick<DeliveryView, 'state' | 'last_status' | 'last_error'>): string | null {
  if (state === 'delivered' || (status === null && error === null)) return null
  if (status !== null) return ofStatus(status)
  return hints.find(([pattern]) => pattern.test(error ?? ''))?.[1] ?? null
}

function ofStatus(status: number): string | null {
  if (status >= 300 && status < 400)
    return 'It answers with a redirect, which is never followed: sav webhooks update ID --url the new address.'
  if (status === 401 || status === 403)
    return 'The receiver does not believe it: another secret, a body that it parsed before it verified, or a clock that is off. sav webhooks verify explains a request that it wrote down.'
  if (status === 404 || status === 405) return 'There is no such place at the receiver: is the path of the URL right?'
  if (status === 410)
    return 'The receiver says that it is gone for good: an endpoint whose deliveries end so is disabled.'
  if (status === 413) return 'The receiver takes no body of this size: raise the bound there.'
  if (status === 429)
    return 'The receiver wants fewer at once: they follow the schedule, or lower SAV_WEBHOOK_CONCURRENCY.'
  if (status >= 500) return 'The receiver fails: its own log says why. Mend it, then sav webhooks retry.'
  return null
}
