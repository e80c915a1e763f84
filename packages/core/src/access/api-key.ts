import { toMs } from '../time.js'
import type { Permission } from './permissions.js'

/** A key as stored: of the key itself only its SHA-256. */
export interface ApiKeyRecord {
  /** `key_…`, time-ordered. */
  readonly id: string
  readonly account_id: string
  readonly nom: string
  /** SHA-256 of the whole key, lowercase hex. */
  readonly hash: string
  readonly permissions: readonly Permission[]
  /** CIDRs from which the key may be used; empty: from anywhere. */
  readonly ips: readonly string[]
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
  /** Known to the minute. */
  readonly last_used_at: string | null
}

/** Neither revoked nor expired. */
export const isInUse = ({ revoked_at, expires_at }: ApiKeyRecord, nowMs: number): boolean =>
  revoked_at === null && toMs(expires_at) > nowMs
