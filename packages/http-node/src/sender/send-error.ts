import { errors } from 'undici'
import { AddressRefusedError } from './address-guard.js'

/** Why nothing was answered, in words for the receiver's owner: of the inside of our network they tell nothing. */
export interface SendError {
  readonly words: string
  /** False when the receiver is there, or was not asked at all. */
  readonly unreachable: boolean
}

const notHttp: SendError = { words: 'the answer is not HTTP', unreachable: false }

const away = (words: string): SendError => ({ words, unreachable: true })

const byCode: Readonly<Record<string, SendError>> = {
  ECONNREFUSED: away('connection refused'),
  ECONNRESET: away('the connection was closed before an answer'),
  EPIPE: away('the connection was closed before an answer'),
  UND_ERR_SOCKET: away('the connection was closed before an answer'),
  ETIMEDOUT: away('timed out while connecting'),
  UND_ERR_CONNECT_TIMEOUT: away('timed out while connecting'),
  EHOSTUNREACH: away('the host cannot be reached'),
  ENETUNREACH: away('the host cannot be reached'),
  EADDRNOTAVAIL: away('the host cannot be reached'),
  ENOTFOUND: away('could not resolve the host name'),
  EAI_AGAIN: away('could not resolve the host name'),
  CERT_HAS_EXPIRED: away('the TLS certificate has expired'),
  CERT_NOT_YET_VALID: away('the TLS certificate is not valid yet'),
  DEPTH_ZERO_SELF_SIGNED_CERT: away('the TLS certificate is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: away('the TLS certificate is self-signed'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: away('the TLS certificate chain is incomplete'),
  UNABLE_TO_GET_ISSUER_CERT: away('the TLS certificate chain is incomplete'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: away('the TLS certificate chain is incomplete'),
  ERR_TLS_CERT_ALTNAME_INVALID: away('the TLS certificate is for another host name'),
  // What a proxy answers when it cannot reach the receiver, or will not.
  UND_ERR_ABORTED: away('the proxy could not open a connection'),
  EPROTO: away('the TLS handshake failed'),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: notHttp,
  UND_ERR_HEADERS_OVERFLOW: { words: 'the headers of the answer are too long', unreachable: false },
}

export function sendErrorOf(error: unknown): SendError {
  if (error instanceof AddressRefusedError) return { words: 'the address is not allowed', unreachable: false }
  const code = codeOf(error)
  const known = byCode[code]
  if (known !== undefined) return known
  if (error instanceof errors.HTTPParserError) return notHttp
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return away('the TLS handshake failed')
  return away('the request failed')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
