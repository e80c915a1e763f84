import type { Dispatcher } from 'undici'

/**
 * An agent that is replaced from time to time, so that no connection lasts too long. The old one finishes its requests.
 * (undici's `clientTtl` examines every connection for each request, and does nothing for an origin with a single one.)
 */
export class RenewedAgent {
  readonly #open: () => Dispatcher
  readonly #maxAgeMs: number
  readonly #ending = new Set<Dispatcher>()
  #agent: Dispatcher
  #openedAt = performance.now()

  constructor(open: () => Dispatcher, { maxAgeMs }: { readonly maxAgeMs: number }) {
    this.#open = open
    this.#maxAgeMs = maxAgeMs
    this.#agent = open()
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const now = performance.now()
    if (now - this.#openedAt >= this.#maxAgeMs) this.#renew(now)
    this.#agent.dispatch(options, handler)
  }

  /** Closes all connections at once: the requests in progress fail. */
  async destroy(): Promise<void> {
    await Promise.all([this.#agent, ...this.#ending].map((agent) => agent.destroy()))
  }

  #renew(now: number): void {
    const old = this.#agent
    this.#agent = this.#open()
    this.#openedAt = now
    this.#ending.add(old)
    void old.close().finally(() => this.#ending.delete(old))
  }
}
