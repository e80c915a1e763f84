import type { EventKind } from '@sav/webhook-verify'

/** A secret that a rotation has replaced and that signs on until then, sealed. */
export interface PreviousSecret {
  readonly sealed: string
  readonly expires_at: string
}

/** A receiver as stored. Secrets and custom headers are sealed (see sealing.ts). */
export interface EndpointRecord {
  /** `wh_…`, time-ordered. */
  readonly id: string
  readonly account_id: string
  readonly url: string
  readonly description: string | null
  readonly events: readonly EventKind[]
  readonly sealed_secret: string
  /** The secrets before it that a rotation lets sign on, oldest first, and until when. */
  readonly previous_secrets: readonly PreviousSecret[]
  readonly sealed_headers: string | null
  readonly disabled_at: string | null
  readonly disabled_reason: string | null
  readonly removed_at: string | null
  /** Since when no attempt has succeeded; null after a success, or before the first failure. */
  readonly failing_since: string | null
  readonly created_at: string
  readonly updated_at: string
}
