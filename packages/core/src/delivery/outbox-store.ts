/** An event with its deliveries, as one transaction writes them: never one without the other. */
export interface OutboxEntry {
  /** `evt_…`, time-ordered. */
  readonly id: string
  readonly account_id: string
  readonly event: string
  /** The exact text that every attempt sends. */
  readonly body: string
  readonly created_at: string
  readonly deliveries: readonly NewDelivery[]
}

interface NewDelivery {
  readonly id: string
  readonly channel: string
  readonly target: string
}

export interface Outbox {
  /** Ids of the endpoints, disabled ones too, that chose this kind of event. */
  subscribers(account_id: string, event: string): Promise<string[]>
  add(entry: OutboxEntry): Promise<void>
  /** More deliveries of an event that is there: kept and listed with the first ones, due from the instant `due_at` on. */
  addDeliveries(more: Omit<OutboxEntry, 'body'> & { readonly due_at: string }): Promise<void>
}
