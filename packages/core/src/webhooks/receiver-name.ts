import type { Reason } from '../refusals/reason.js'
import type { Clock } from '../time/clock.js'
import { addressRule, notPublic, type ReceiverPolicy } from './receiver-url.js'

/** The addresses that a name leads to. Rejects when it leads nowhere. */
export type LookUp = (hostname: string) => Promise<readonly string[]>

const lookUpMs = 2_000

/**
 * Why the address behind the name of a URL cannot be a receiver; null where it can. A name that leads nowhere, or gets
 * no answer in two seconds, may lead somewhere later: each connection is checked again.
 */
export async function receiverNameProblem(
  url: string,
  { receivers, lookUp, clock }: { receivers: ReceiverPolicy; lookUp: LookUp; clock: Clock },
): Promise<Reason | null> {
  if (receivers.allowLocal) return null
  const isAllowed = addressRule(receivers)
  const addresses = await withinMs(lookUp(new URL(url).hostname), clock)
  return addresses.length === 0 || addresses.some(isAllowed) ? null : notPublic
}

function withinMs(lookingUp: Promise<readonly string[]>, clock: Clock): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const cancel = clock.after(lookUpMs, () => resolve([]))
    lookingUp
      .catch(() => [])
      .then((addresses) => {
        cancel()
        resolve(addresses)
      })
  })
}
