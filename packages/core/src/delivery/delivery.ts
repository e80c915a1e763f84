/** `pending`: attempts are to come, or under way; `delivered` and `failed` are final until somebody asks for a new run. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const
/** How far a delivery has come: see `deliveryStates`. */
export type DeliveryState = (typeof deliveryStates)[number]

/** One event on its way to one target, as the history shows it. */
export interface Delivery {
  /** `dlv_…`, time-ordered. */
  readonly id: string
  readonly account_id: string
  readonly event_id: string
  readonly event: string
  readonly channel: string
  readonly endpoint_id: string
  readonly state: DeliveryState
  /** Attempts made so far, over all runs. */
  readonly attempt_count: number
  /** Null once the state is final. */
  readonly next_attempt_at: string | null
  readonly last_status: number | null
  readonly last_error: string | null
  readonly created_at: string
}

/** One attempt: `n` counts from 1 over all runs of a delivery. */
export interface AttemptRecord {
  readonly n: number
  readonly started_at: string
  readonly duration_ms: number
  /** HTTP status, null when the receiver gave none. */
  readonly status: number | null
  readonly error: string | null
  readonly response_headers: Readonly<Record<string, string>> | null
  readonly response: string | null
}
