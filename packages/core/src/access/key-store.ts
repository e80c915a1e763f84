import type { ApiKeyRecord } from './api-key.js'

/** API keys, also those that are revoked or expired: whether one may be used is for the caller to tell. */
export interface KeyReads {
  /** By the SHA-256 (lowercase hex) of the whole key, whatever its account: this is how a caller's account is found. */
  findByHash(hash: string): Promise<ApiKeyRecord | null>
  find(account_id: string, id: string): Promise<ApiKeyRecord | null>
  /** Newest first, revoked ones too. */
  list(account_id: string): Promise<ApiKeyRecord[]>
}

/** Keys are added and ended, never deleted: the audit goes on naming them. */
export interface KeyWrites extends KeyReads {
  add(key: ApiKeyRecord): Promise<void>
  /** Replaces `revoked_at` and `expires_at` of a key. */
  update(account_id: string, id: string, fields: Pick<ApiKeyRecord, 'revoked_at' | 'expires_at'>): Promise<void>
  /** Notes when keys were last used; a later use that is noted already stays. Unknown keys are passed over. */
  noteUse(uses: readonly { readonly account_id: string; readonly id: string; readonly at: string }[]): Promise<void>
}
