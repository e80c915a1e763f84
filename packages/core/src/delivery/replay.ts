import type { DeliveryState } from './delivery.js'

/** A durable order to attempt again every delivery that matches; it goes on where it stopped, in whichever process. */
export interface ReplayJob {
  /** `rpl_…`, time-ordered. */
  readonly id: string
  readonly account_id: string
  readonly state: 'running' | 'done' | 'cancelled'
  readonly filter: {
    readonly state: DeliveryState
    readonly endpoint_id: string | null
    readonly event: string | null
    /** Instant. */
    readonly since: string | null
    /** False: letters are left out. */
    readonly letters: boolean
  }
  /** The delivery that was looked at last; the next ones come after it in the order of the history. */
  readonly position: { readonly created_at: string; readonly id: string }
  /** How many deliveries matched when it began. */
  readonly matched: number
  /** How many of them are to be attempted again by now. */
  readonly retried: number
  readonly created_at: string
  readonly ended_at: string | null
}
