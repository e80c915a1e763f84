/** An event with its deliveries, as one transaction writes them: never one without the other. */
export interface OutboxEntry {
  /** `evt_…`, time-ordered. */
  readonly id: string
  readonly account_id: string
  readonly event: string
  /** The exact text that every attempt sends. */
  readonly body: string
  readonly created_at: string
  /**
   * W3C trace context of what caused the event; absent without tracing. It is kept with each delivery while that waits,
   * and not with a replay of one that had ended.
   */
  readonly traceparent?: string
  readonly deliveries: readonly NewDelivery[]
}

interface NewDelivery {
  readonly id: string
  readonly channel: string
  readonly target: string
}

/** Events and deliveries, written in the transaction of what they tell; they are due from its commit on. */
export interface Outbox {
  /**
   * Whom this kind of event goes to: ids of the account's endpoints that chose it, disabled ones too, and the targets that
   * `subscribe` named.
   */
  subscribers(account_id: string, event: string): Promise<string[]>
  /** From this commit on the target is given these kinds of events, of every account, and no others; none: nothing. */
  subscribe(target: string, events: readonly string[]): Promise<void>
  add(entry: OutboxEntry): Promise<void>
  /** More deliveries of an event that is there: kept and listed with the first ones, due from the instant `due_at` on. */
  addDeliveries(more: Omit<OutboxEntry, 'body' | 'traceparent'> & { readonly due_at: string }): Promise<void>
}
