/** A stored event, with the exact text that its receivers get. */
export interface StoredEvent {
  /** `evt_…`, time-ordered. */
  readonly id: string
  readonly event: string
  readonly body: string
}

/** The events in the outbox, kept as long as their deliveries. */
export interface EventReads {
  /**
   * The account's events of all kinds, letters included, whose id is `from` or sorts after it as text: by id, at most
   * `limit`. Ids are assigned before the commit, so an event may appear later than one with a greater id.
   */
  since(account_id: string, from: string, limit: number): Promise<StoredEvent[]>
}
