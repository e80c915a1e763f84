import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { ApiResponse } from '../http/exchange.js'
import { answerTo, type FailureKind, Refusal } from '../http/failures.js'

/** The answer to invalid HTTP. @param code the error of node:http */
export function answerToNoCall(code: string | undefined): ApiResponse {
  const { status, headers, body } = answerTo(new Refusal(kindOf(code)))
  headers.push('X-Request-Id', randomUUID(), 'X-Content-Type-Options', 'nosniff')
  headers.push('Content-Length', String(Buffer.byteLength(body)))
  return { status, headers, body }
}

function kindOf(code: string | undefined): FailureKind {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout'
  return 'bad_request'
}

/** The answer as bytes of HTTP/1.1, for a connection that node:http has abandoned. */
export function asText({ status, headers, body }: ApiResponse): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, `Date: ${new Date().toUTCString()}`]
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`)
  return `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`
}
