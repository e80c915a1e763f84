interface Account {
  running: number
  readonly waiting: (() => void)[]
}

export interface TurnOptions {
  readonly account_id: string
  /** Whether the task begins before those that already wait. */
  readonly isFirst: boolean
  /** Cancels a turn that has not begun. */
  readonly signal: AbortSignal
}

/**
 * Runs a limited number of tasks of each account at once. A task that takes longer than `slowMs` continues but no
 * longer counts, so that slow tasks do not delay the account's others.
 */
export class Turns {
  readonly #atOnce: number
  readonly #slowMs: number
  readonly #accounts = new Map<string, Account>()

  constructor({ atOnce, slowMs }: { readonly atOnce: number; readonly slowMs: number }) {
    this.#atOnce = atOnce
    this.#slowMs = slowMs
  }

  /** Rejects with the reason of the signal when that aborts before the turn. */
  take<T>({ account_id, isFirst, signal }: TurnOptions, work: () => Promise<T>): Promise<T> {
    const account = this.#accounts.get(account_id) ?? { running: 0, waiting: [] }
    this.#accounts.set(account_id, account)
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve(this.#run(account_id, account, work))
      }
      const leave = () => {
        account.waiting.splice(account.waiting.indexOf(start), 1)
        reject(signal.reason)
      }
      if (account.running < this.#atOnce) return start()
      if (isFirst) account.waiting.unshift(start)
      else account.waiting.push(start)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  async #run<T>(account_id: string, account: Account, work: () => Promise<T>): Promise<T> {
    account.running += 1
    let isCounted = true
    const end = () => {
      clearTimeout(slow)
      if (!isCounted) return
      isCounted = false
      account.running -= 1
      account.waiting.shift()?.()
      if (account.running === 0) this.#accounts.delete(account_id)
    }
    const slow = setTimeout(end, this.#slowMs)
    return work().finally(end)
  }
}
