/** Lets accounts do one thing after the other, in turns: who asks for much keeps nobody waiting for all of it. */
export interface Turns {
  /** Resolves as `work` does, which begins when no other is under way and it is this account's turn. */
  take<T>(account_id: string, work: () => Promise<T>): Promise<T>
}

export function createTurns(): Turns {
  /** What waits, by account, and the accounts in the order of their turns. */
  const waiting = new Map<string, (() => Promise<unknown>)[]>()
  let isBusy = false

  async function goOn(): Promise<void> {
    if (isBusy) return
    isBusy = true
    for (const [account_id, [first, ...others]] of waiting) {
      // To the end, behind those that came meanwhile: a Map goes on to what is added while it is walked through.
      waiting.delete(account_id)
      if (others.length > 0) waiting.set(account_id, others)
      await first?.()
    }
    isBusy = false
  }

  return {
    take(account_id, work) {
      return new Promise((resolve, reject) => {
        const queue = waiting.get(account_id) ?? []
        waiting.set(account_id, [...queue, () => work().then(resolve, reject)])
        void goOn()
      })
    },
  }
}
