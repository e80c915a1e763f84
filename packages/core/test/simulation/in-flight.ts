export interface Concurrency {
  readonly total: number
  readonly perTarget: number
}

/** The attempts of one process, counted afresh: how many each endpoint's window, the suspects and the total allow. */
export class InFlight {
  count = 0
  readonly #concurrency: Concurrency
  readonly #targets = new Map<string, { size: number; inFlight: number; suspect: boolean }>()

  constructor(concurrency: Concurrency) {
    this.#concurrency = concurrency
  }

  /** Null, or which limit this start breaks. */
  start(target: string): string | null {
    const { total } = this.#concurrency
    const window = this.#targets.get(target) ?? { size: 1, inFlight: 0, suspect: false }
    this.#targets.set(target, window)
    window.inFlight += 1
    this.count += 1
    if (this.count > total) return 'has more under way than its total'
    if (window.inFlight > window.size) return 'has more under way than the window of'
    const suspects = [...this.#targets.values()].reduce((sum, each) => sum + (each.suspect ? each.inFlight : 0), 0)
    if (window.suspect && suspects > Math.max(1, Math.floor(total / 4))) return 'has too many suspects under way with'
    return null
  }

  end(target: string, answered: boolean | null): void {
    const window = this.#targets.get(target)
    if (window === undefined) return
    window.inFlight -= 1
    this.count -= 1
    if (answered === null) return
    window.size = answered ? Math.min(window.size * 2, this.#concurrency.perTarget) : 1
    window.suspect = !answered
  }
}
