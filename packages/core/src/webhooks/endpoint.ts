import type { EventKind } from '@sav/webhook-verify'

/** A receiver as stored. Secrets and custom headers are sealed (see sealing.ts). */
export interface EndpointRecord {
  /** `wh_…`, time-ordered. */
  readonly id: string
  readonly account_id: string
  readonly url: string
  readonly description: string | null
  readonly events: readonly EventKind[]
  readonly sealed_secret: string
  /** The secret before the last rotation, and until when it still signs. */
  readonly sealed_previous_secret: string | null
  readonly previous_expires_at: string | null
  readonly sealed_headers: string | null
  readonly disabled_at: string | null
  readonly disabled_reason: string | null
  readonly removed_at: string | null
  /** Since when no attempt has succeeded; null after a success, or before the first failure. */
  readonly failing_since: string | null
  readonly created_at: string
  readonly updated_at: string
}
