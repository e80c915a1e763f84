import type { ApiKeyRecord } from './api-key.js'

/** API keys, including revoked and expired ones. The caller decides whether one may be used. */
export interface KeyReads {
  /** The key with this SHA-256 (lowercase hex), of any account: the key determines the caller's account. */
  findByHash(hash: string): Promise<ApiKeyRecord | null>
  find(account_id: string, id: string): Promise<ApiKeyRecord | null>
  /** The keys of the account, newest first, including revoked ones. */
  list(account_id: string): Promise<ApiKeyRecord[]>
}

/** Keys are added, revoked and rolled, never deleted, since the audit still names them. */
export interface KeyWrites extends KeyReads {
  add(key: ApiKeyRecord): Promise<void>
  /** Replaces these fields of a key. */
  update(
    account_id: string,
    id: string,
    fields: Pick<ApiKeyRecord, 'revoked_at' | 'expires_at' | 'successor_id'>,
  ): Promise<void>
  /** Records when keys were last used. An earlier use never replaces a later one. Unknown keys are skipped. */
  noteUse(uses: readonly { readonly account_id: string; readonly id: string; readonly at: string }[]): Promise<void>
}
