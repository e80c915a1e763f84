import type { EndpointRecord } from './endpoint.js'

/** The receivers of webhooks, disabled ones too. Their secrets are sealed. */
export interface EndpointReads {
  /** Removed endpoints are not found. */
  find(account_id: string, id: string): Promise<EndpointRecord | null>
  /** Oldest first, removed ones left out. */
  list(account_id: string): Promise<EndpointRecord[]>
  /** The endpoint that a delivery's target names, whatever its account: null when it was removed. */
  ofTarget(target: string): Promise<EndpointRecord | null>
}

/** Endpoints are never deleted: `removed_at` hides one, and its deliveries stay in the history. */
export interface EndpointWrites extends EndpointReads {
  add(endpoint: EndpointRecord): Promise<void>
  /** Replaces the whole record. */
  update(endpoint: EndpointRecord): Promise<void>
  /** Endpoints of every account, removed ones too, by id after `afterId`: for sealing their secrets anew. */
  every(page: { readonly afterId: string; readonly limit: number }): Promise<EndpointRecord[]>
}
