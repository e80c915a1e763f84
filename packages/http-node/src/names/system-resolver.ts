import { lookup } from 'node:dns'

export interface SystemLookUpOptions {
  readonly account_id: string
  /** Ends the wait for an answer. The look-up itself cannot be cancelled. */
  readonly signal: AbortSignal
}

/** How long a look-up waits for its turn. */
const maxWaitMs = 1000

const waiting = new Map<string, (() => void)[]>()
let isAsking = false

/**
 * Asks `getaddrinfo` for names outside DNS: mDNS, LDAP, the names of this machine. It may block, for a long time, a
 * thread of the pool that databases, mail and files share. So the process asks for one name at a time, with accounts
 * in turn. Rejects when the name has no address, and after a second without a turn.
 */
export function askSystem(hostname: string, { account_id, signal }: SystemLookUpOptions): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const settle = (settleBy: () => void) => {
      clearTimeout(patience)
      signal.removeEventListener('abort', giveUp)
      settleBy()
    }
    const giveUp = () => {
      leave(account_id, start)
      settle(() => reject(signal.reason ?? new Error(`The look-up of ${hostname} waited too long for other look-ups.`)))
    }
    const start = () => {
      clearTimeout(patience)
      lookup(hostname, { all: true }, (error, found) => {
        isAsking = false
        startNext()
        settle(() => (error === null ? resolve(found.map(({ address }) => address)) : reject(error)))
      })
    }
    const patience = setTimeout(giveUp, maxWaitMs)
    signal.addEventListener('abort', giveUp, { once: true })
    waiting.set(account_id, [...(waiting.get(account_id) ?? []), start])
    startNext()
  })
}

function startNext(): void {
  const [next] = waiting
  if (isAsking || next === undefined) return
  const [account_id, [start, ...others]] = next
  // Moves the account to the end of the queue.
  waiting.delete(account_id)
  if (others.length > 0) waiting.set(account_id, others)
  isAsking = true
  start?.()
}

function leave(account_id: string, start: () => void): void {
  const others = waiting.get(account_id)?.filter((each) => each !== start) ?? []
  if (others.length > 0) waiting.set(account_id, others)
  else waiting.delete(account_id)
}
