import type { Reason } from '../refusals/reason.js'
import type { Clock } from '../time/clock.js'
import { addressRule, notPublic, type ReceiverPolicy } from './receiver-url.js'

/** The account of a receiver's name, and the signal that ends the look-up. */
export interface LookUpAsker {
  readonly account_id: string
  readonly signal: AbortSignal
}

/** The addresses of a name. Rejects if it has none. */
export type LookUp = (hostname: string, asker: LookUpAsker) => Promise<readonly string[]>

const lookUpMs = 2_000

/**
 * Why the address behind a URL's name cannot be a receiver; null if it can. A name without an address, or without an
 * answer within two seconds, is accepted, since each connection is checked again.
 */
export async function receiverNameProblem(
  url: string,
  { account_id, receivers, lookUp, clock }: NameCheck,
): Promise<Reason | null> {
  if (receivers.allowLocal) return null
  const isAllowed = addressRule(receivers)
  const time = new AbortController()
  const late = Promise.withResolvers<readonly string[]>()
  const cancel = clock.after(lookUpMs, () => {
    time.abort()
    late.resolve([])
  })
  const found = lookUp(new URL(url).hostname, { account_id, signal: time.signal }).catch(() => [])
  const addresses = await Promise.race([found, late.promise]).finally(cancel)
  return addresses.length === 0 || addresses.some(isAllowed) ? null : notPublic
}

interface NameCheck {
  readonly account_id: string
  readonly receivers: ReceiverPolicy
  readonly lookUp: LookUp
  readonly clock: Clock
}
