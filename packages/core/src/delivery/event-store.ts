/** An event as it was written down, with the exact text that its receivers are sent. */
export interface StoredEvent {
  /** `evt_…`, time-ordered. */
  readonly id: string
  readonly event: string
  readonly body: string
}

/** What was written into the outbox, for as long as deliveries are kept. */
export interface EventReads {
  /**
   * The account's events of all kinds, letters too, whose id is `from` or sorts after it as text: by id, at most `limit`. One may
   * turn up later before others that were there already, since ids are given before the commit.
   */
  since(account_id: string, from: string, limit: number): Promise<StoredEvent[]>
}
