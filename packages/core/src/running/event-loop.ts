/** Shares the event loop among accounts, and within each account among its callers. */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>()
  readonly #now: () => number
  readonly #soon: (then: () => void) => unknown
  /** When the current turn began; null: not measured. */
  #began: number | null = null
  #isScheduled = false

  /** @param soon calls back in the next turn of the event loop, after everything that has arrived by then */
  constructor(now: () => number, soon: (then: () => void) => unknown) {
    this.#now = now
    this.#soon = soon
  }

  get someoneWaits(): boolean {
    return this.#waiting.size > 0
  }

  /** Resolves in a later turn, in which no other waiter continues. */
  next(account_id: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#waiting.get(account_id)
      if (queue === undefined) this.#waiting.set(account_id, [resolve])
      else queue.push(resolve)
      if (!this.#isScheduled) this.#schedule()
    })
  }

  /** Like `next` once the current turn has lasted for `maxTurnMs`; undefined before. */
  nextWhenLong(account_id: string): Promise<void> | undefined {
    if (this.#began === null) {
      this.#began = this.#now()
      this.#soon(() => {
        this.#began = null
      })
      return undefined
    }
    return this.#now() - this.#began < maxTurnMs ? undefined : this.next(account_id)
  }

  #schedule(): void {
    this.#isScheduled = true
    this.#soon(() => this.#resumeOne())
  }

  #resumeOne(): void {
    this.#isScheduled = false
    const [first] = this.#waiting
    if (first === undefined) return
    const [account_id, [resume, ...others]] = first
    // Put the other waiters of this account behind all other accounts.
    this.#waiting.delete(account_id)
    if (others.length > 0) this.#waiting.set(account_id, others)
    if (this.#waiting.size > 0) this.#schedule()
    resume?.()
  }
}

/**
 * How long a turn may last. The next statement or step may take some milliseconds more, and no caller should wait for
 * more than 50 ms.
 */
export const maxTurnMs = 10

const turns = new Turns(
  () => performance.now(),
  (then) => setImmediate(then),
)

/** Yields the event loop between two steps of long work, for an account if it is known. */
export const yieldToEventLoop = (account_id = ''): Promise<void> => turns.next(account_id)

/** Yields if this turn of the event loop has already taken long; otherwise undefined: there is nothing to wait for. */
export const yieldWhenLong = (account_id: string): Promise<void> | undefined => turns.nextWhenLong(account_id)

/** Whether anything waits for its turn. */
export const someoneWaits = (): boolean => turns.someoneWaits
