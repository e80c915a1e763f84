/** An event with its deliveries, written in one transaction. */
export interface OutboxEntry {
  /** `evt_…`, time-ordered. */
  readonly id: string
  readonly account_id: string
  readonly event: string
  /** The exact text that every attempt sends. */
  readonly body: string
  readonly created_at: string
  /**
   * The W3C trace context of the event's cause; absent without tracing. It is kept with each delivery until the
   * delivery ends. Later replays do not have it.
   */
  readonly traceparent?: string
  readonly deliveries: readonly NewDelivery[]
}

interface NewDelivery {
  readonly id: string
  readonly channel: string
  readonly target: string
}

/** Events and deliveries, written in the transaction of their change. They are due from its commit on. */
export interface Outbox {
  /**
   * The receivers of this kind of event: the ids of the account's endpoints that chose it, including disabled ones, and
   * the targets that `subscribe` named.
   */
  subscribers(account_id: string, event: string): Promise<string[]>
  /**
   * From this commit on, the target gets exactly these kinds of events, of every account. With an empty list it gets
   * nothing.
   */
  subscribe(target: string, events: readonly string[]): Promise<void>
  add(entry: OutboxEntry): Promise<void>
  /**
   * Adds deliveries of an existing event. They are kept and listed with the first ones, and due at the instant
   * `due_at`.
   */
  addDeliveries(more: Omit<OutboxEntry, 'body' | 'traceparent'> & { readonly due_at: string }): Promise<void>
}
