import { equalInConstantTime } from '#hmac'
import { type VerificationFailure, WebhookVerificationError } from './errors.js'
import type { WebhookEvent } from './events.js'
import { singleHeader, type WebhookHeaders } from './headers.js'
import { macsOf } from './secret.js'

/** The bytes as received; text counts as its UTF-8 bytes. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** One secret, or during a rotation the old and the new one in any order. */
export type Secrets = string | readonly string[]

/** The options of a verification. */
export interface VerifyOptions {
  /** How far the timestamp may be in the past or in the future, inclusive. Default: 300; it cannot be switched off. */
  readonly toleranceSeconds?: number | undefined
  /**
   * The receiver's clock: a Date, a Unix time, or a function that returns one. Default: `Date.now`. A number may be in
   * milliseconds or, like the timestamps of the headers, in seconds; its size shows which.
   */
  readonly now?: Date | number | (() => Date | number) | undefined
  /**
   * `standard` (default) requires `webhook-id`, `webhook-timestamp` and `webhook-signature`, which cover the timestamp.
   * `specification` reads only `X-Webhook-Signature` and `X-Webhook-Timestamp`. That signature covers only the body: an
   * attacker with an old delivery can send it again with a fresh timestamp, so de-duplicate on `data.event_id`.
   */
  readonly scheme?: 'standard' | 'specification' | undefined
}

/** The result of `safeVerify`. */
export type VerificationResult =
  | { readonly ok: true; readonly event: WebhookEvent }
  | { readonly ok: false; readonly reason: VerificationFailure; readonly message: string }

interface Settings {
  readonly secrets: readonly string[]
  readonly toleranceSeconds: number
  readonly nowSeconds: number
  readonly scheme: 'standard' | 'specification'
}

/**
 * The event of an authentic webhook. The body is not parsed before its signature is verified. The type of `data` is the
 * sender's promise, which the signature proves.
 *
 * @throws {WebhookVerificationError} with the `reason` when it is not authentic.
 * @throws {TypeError} when the receiver is misconfigured: a secret, an option, or a body that was already parsed.
 */
export async function verify(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(rawBody)
  await verifySignature(bytes, headers, secrets, options)
  return parseEvent(bytes)
}

/**
 * `verify` without an exception for an invalid delivery; a misconfigured receiver still throws.
 *
 * @throws {TypeError}
 */
export async function safeVerify(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<VerificationResult> {
  try {
    return { ok: true, event: await verify(rawBody, headers, secrets, options) }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return { ok: false, reason: error.reason, message: error.message }
  }
}

/**
 * Resolves when timestamp and signature are valid, whatever the body is.
 *
 * @throws {WebhookVerificationError}
 * @throws {TypeError}
 */
export async function verifySignature(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secrets: Secrets,
  options: VerifyOptions = {},
): Promise<void> {
  const body = bytesOf(rawBody)
  const settings = settle(secrets, options)
  const claim =
    settings.scheme === 'standard' ? standardClaim(headers, settings) : specificationClaim(headers, settings)
  for (const secret of settings.secrets) {
    const code = macsOf(secret)[settings.scheme](claim.prefix, body, claim.encoding)
    // Awaiting a value that already exists would cost 2 % of a verification in Node.
    const expected = claim.version + (typeof code === 'string' ? code : await code)
    for (const signature of claim.signatures) if (equalInConstantTime(signature, expected)) return
  }
  throw claim.signatures.some((signature) => signature.startsWith(claim.version))
    ? new WebhookVerificationError(
        'signature_mismatch',
        'No signature fits: the secret is wrong, or the body is not the bytes as received.',
      )
    : new WebhookVerificationError('malformed_signature', `No signature begins with ${claim.version}`)
}

/** The signed content and its signatures, from the headers. */
interface Claim {
  readonly signatures: readonly string[]
  /** The beginning of a signature, before its code. */
  readonly version: string
  readonly encoding: 'hex' | 'base64'
  /** The signed part before the body. */
  readonly prefix: string
}

function standardClaim(headers: WebhookHeaders, settings: Settings): Claim {
  const id = singleHeader(headers, 'webhook-id')
  const timestamp = singleHeader(headers, 'webhook-timestamp')
  const signatures = singleHeader(headers, 'webhook-signature').split(' ')
  checkTimestamp(timestamp, settings)
  return { signatures, version: 'v1,', encoding: 'base64', prefix: `${id}.${timestamp}.` }
}

function specificationClaim(headers: WebhookHeaders, settings: Settings): Claim {
  const signature = singleHeader(headers, 'x-webhook-signature')
  checkTimestamp(singleHeader(headers, 'x-webhook-timestamp'), settings)
  return { signatures: [signature], version: 'sha256=', encoding: 'hex', prefix: '' }
}

function checkTimestamp(text: string, { nowSeconds, toleranceSeconds }: Settings): void {
  if (!/^\d+$/.test(text)) {
    throw new WebhookVerificationError('malformed_timestamp', 'The timestamp is not digits alone.')
  }
  const age = nowSeconds - Number(text)
  const seconds = Math.abs(age)
  if (seconds > toleranceSeconds) {
    throw new WebhookVerificationError(
      age > 0 ? 'timestamp_too_old' : 'timestamp_too_new',
      `The timestamp is ${seconds} s ${age > 0 ? 'old' : 'ahead of this clock'}; at most ${toleranceSeconds} s are accepted.`,
    )
  }
}

/**
 * Checks secrets and options. Adapters call it once at their creation, so that a mistake shows at the start and not at
 * the first delivery.
 *
 * @throws {TypeError}
 */
export function settle(secrets: Secrets, options: VerifyOptions): Settings {
  const { toleranceSeconds = 300, now = Date.now, scheme = 'standard' } = options
  const list = typeof secrets === 'string' ? [secrets] : secrets
  if (!list?.length) throw new TypeError('The webhook secret is missing.')
  for (const secret of list) macsOf(secret)
  if (!(toleranceSeconds > 0 && toleranceSeconds < Infinity)) {
    throw new TypeError(`toleranceSeconds must be positive, not ${toleranceSeconds}.`)
  }
  const moment = Number(typeof now === 'function' ? now() : now)
  if (!(moment >= 0 && moment < Infinity)) throw new TypeError(`now must be a Date or a Unix time, not ${moment}.`)
  // 1e11 milliseconds are the year 1973, 1e11 seconds the year 5138.
  const nowSeconds = Math.floor(moment < 1e11 ? moment : moment / 1000)
  if (scheme !== 'standard' && scheme !== 'specification') {
    throw new TypeError(`scheme must be 'standard' or 'specification', not '${scheme}'.`)
  }
  return { secrets: list, toleranceSeconds, nowSeconds, scheme }
}

function bytesOf(rawBody: RawBody): Uint8Array {
  if (rawBody instanceof Uint8Array) return rawBody
  // Bytes of another realm (test runners, vm contexts) are not instances of this realm's Uint8Array.
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody)
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody)
  throw new TypeError('The raw body must be the bytes as received, but a body parser ran before.')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseEvent(bytes: Uint8Array): WebhookEvent {
  let parsed: unknown
  try {
    parsed = JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    throw new WebhookVerificationError('malformed_body', 'The signed body is not JSON in UTF-8.', { cause })
  }
  if (isEvent(parsed)) return parsed
  throw new WebhookVerificationError('malformed_body', 'The signed body lacks event, timestamp or data.')
}

function isEvent(value: unknown): value is WebhookEvent {
  return (
    isObject(value) &&
    typeof value['event'] === 'string' &&
    typeof value['timestamp'] === 'string' &&
    isObject(value['data'])
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
