import type { failures } from '@sav/core/adapter'
import { errors } from 'undici'
import { NameNotFoundError } from '../names/names.js'
import { AddressRefusedError } from './address-guard.js'

/** Why there was no answer. */
export interface SendError {
  readonly code: keyof typeof failures
  /** Whether the receiver could not be reached; false if it was not called at all. */
  readonly unreachable: boolean
}

const notHttp: SendError = { code: 'not_http', unreachable: false }

const away = (code: SendError['code']): SendError => ({ code, unreachable: true })

/** The reasons, by the error codes of Node.js and undici. */
export const knownErrors: Readonly<Record<string, SendError>> = {
  ECONNREFUSED: away('connection_refused'),
  ECONNRESET: away('connection_closed'),
  EPIPE: away('connection_closed'),
  UND_ERR_SOCKET: away('connection_closed'),
  ETIMEDOUT: away('connect_timeout'),
  UND_ERR_CONNECT_TIMEOUT: away('connect_timeout'),
  EHOSTUNREACH: away('host_unreachable'),
  ENETUNREACH: away('host_unreachable'),
  EADDRNOTAVAIL: away('host_unreachable'),
  EAFNOSUPPORT: away('host_unreachable'),
  CERT_HAS_EXPIRED: away('tls_expired'),
  CERT_NOT_YET_VALID: away('tls_not_yet_valid'),
  DEPTH_ZERO_SELF_SIGNED_CERT: away('tls_self_signed'),
  SELF_SIGNED_CERT_IN_CHAIN: away('tls_self_signed'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: away('tls_incomplete_chain'),
  UNABLE_TO_GET_ISSUER_CERT: away('tls_incomplete_chain'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: away('tls_incomplete_chain'),
  ERR_TLS_CERT_ALTNAME_INVALID: away('tls_other_name'),
  // The proxy refuses the tunnel.
  UND_ERR_ABORTED: away('proxy_refused'),
  EPROTO: away('tls_handshake'),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: notHttp,
  UND_ERR_HEADERS_OVERFLOW: { code: 'headers_too_long', unreachable: false },
}

export function sendErrorOf(error: unknown): SendError {
  if (error instanceof AddressRefusedError) return { code: 'address_refused', unreachable: false }
  if (error instanceof NameNotFoundError) return away('name_not_found')
  const code = codeOf(error)
  const known = knownErrors[code]
  if (known !== undefined) return known
  if (error instanceof errors.HTTPParserError) return notHttp
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return away('tls_handshake')
  return away('request_failed')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
