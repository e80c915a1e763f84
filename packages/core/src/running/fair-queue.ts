import { TooManyWaitingError } from '../errors.js'

/** Runs the work of accounts in turns, so that an account with much work does not delay the others. */
export interface FairQueue {
  /**
   * Begins `work` when it is this account's turn, and settles like `work`. At most one piece of work of each account
   * runs at a time.
   * @throws TooManyWaitingError when the caller has too many waiting; the reason of `signal` if it aborts during the
   *   wait
   */
  run<T>(owner: WorkOwner, work: () => Promise<T>): Promise<T>
}

/** The account and the caller of the work. */
export interface WorkOwner {
  readonly account_id: string
  /** The caller's key or user. */
  readonly caller?: string | null
  /** Aborted when its result is no longer needed. */
  readonly signal?: AbortSignal | undefined
}

export interface FairQueueBounds {
  /** How many accounts may have work running at once. */
  readonly atOnce: number
  /** How much work of one caller may wait; by default without a bound. */
  readonly waitingPerCaller?: number
}

interface QueueEntry {
  readonly caller: string | null
  readonly begin: () => Promise<unknown>
}

/** A queue in which accounts take turns, with a bound for each caller. */
export function createFairQueue({ atOnce, waitingPerCaller = Number.POSITIVE_INFINITY }: FairQueueBounds): FairQueue {
  /** The waiting work by account, in the order of turns. */
  const waiting = new Map<string, readonly QueueEntry[]>()
  const underWay = new Set<string>()

  function remove(account_id: string, one: QueueEntry): boolean {
    const queue = waiting.get(account_id) ?? []
    const others = queue.filter((each) => each !== one)
    if (others.length === 0) waiting.delete(account_id)
    else waiting.set(account_id, others)
    return others.length < queue.length
  }

  function goOn(): void {
    for (const [account_id, [first]] of waiting) {
      if (underWay.size >= atOnce) return
      if (first === undefined || underWay.has(account_id)) continue
      remove(account_id, first)
      underWay.add(account_id)
      void first.begin().then(() => end(account_id))
    }
  }

  function end(account_id: string): void {
    underWay.delete(account_id)
    // This account's next work comes after accounts that arrived meanwhile.
    const queue = waiting.get(account_id)
    waiting.delete(account_id)
    if (queue !== undefined) waiting.set(account_id, queue)
    goOn()
  }

  return {
    run({ account_id, caller = null, signal }, work) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        const queue = waiting.get(account_id) ?? []
        const isFirst = !underWay.has(account_id) && underWay.size < atOnce
        if (!isFirst && queue.filter((each) => each.caller === caller).length >= waitingPerCaller)
          throw new TooManyWaitingError()
        const one: QueueEntry = {
          caller,
          begin() {
            signal?.removeEventListener('abort', leave)
            return work().then(resolve, reject)
          },
        }
        const leave = () => {
          if (remove(account_id, one)) reject(signal?.reason)
        }
        signal?.addEventListener('abort', leave, { once: true })
        waiting.set(account_id, [...queue, one])
        goOn()
      })
    },
  }
}
