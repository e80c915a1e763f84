import type { Sealer } from '../crypto/sealing.js'
import { Secret } from '../crypto/secret.js'
import type { EndpointRecord } from './endpoint.js'

/** The owner that an endpoint's sealed texts are bound to, so that they open for no other endpoint. */
export const sealedAs = (endpoint: Pick<EndpointRecord, 'account_id' | 'id'>, what: 'secret' | 'headers'): string =>
  `${endpoint.account_id}/${endpoint.id}/${what}`

/** The custom headers, sealed; null if there are none. */
export function sealHeaders(
  sealer: Sealer,
  owner: Pick<EndpointRecord, 'account_id' | 'id'>,
  headers: Readonly<Record<string, string>>,
): string | null {
  if (Object.keys(headers).length === 0) return null
  return sealer.seal(new Secret(JSON.stringify(headers)), sealedAs(owner, 'headers'))
}

export function openHeaders(sealer: Sealer, endpoint: EndpointRecord): Record<string, string> {
  if (endpoint.sealed_headers === null) return {}
  return JSON.parse(sealer.open(endpoint.sealed_headers, sealedAs(endpoint, 'headers')).reveal())
}
