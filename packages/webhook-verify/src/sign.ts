import { macsOf } from './secret.js'

/** One attempt to deliver an event. */
export interface SignInput {
  /** The event's id, the same in every attempt: receivers de-duplicate on it. */
  readonly id: string
  /** When this attempt starts, in Unix seconds. */
  readonly timestamp: number
  /** The exact body to send; text is sent as UTF-8. */
  readonly body: string | Uint8Array
  /** Signs both signature headers. During a rotation, this is the oldest valid secret, which every receiver has. */
  readonly secret: string
  /** During a rotation, the new secret or secrets: `webhook-signature` also has a signature of each. */
  readonly nextSecret?: string | readonly string[] | undefined
}

/** A type, not an interface, so that it is assignable to a record of headers. */
export type SignatureHeaders = {
  readonly 'X-Webhook-Signature': string
  readonly 'X-Webhook-Timestamp': string
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/**
 * The headers by which a receiver verifies one attempt: the specification's, whose HMAC covers the body, and the three
 * of Standard Webhooks, whose HMAC covers `id.timestamp.body`.
 *
 * @throws {TypeError} when a secret is malformed, or `timestamp` is not in whole seconds.
 */
export async function sign({ id, timestamp, body, secret, nextSecret = [] }: SignInput): Promise<SignatureHeaders> {
  if (!Number.isInteger(timestamp) || timestamp < 0 || timestamp >= 1e11) {
    throw new TypeError(`timestamp must be whole Unix seconds, not ${timestamp}.`)
  }
  const macs = macsOf(secret)
  const signed = `${id}.${timestamp}.`
  const hex = await macs.specification('', body, 'hex')
  let signatures = `v1,${await macs.standard(signed, body, 'base64')}`
  for (const next of typeof nextSecret === 'string' ? [nextSecret] : nextSecret)
    signatures += ` v1,${await macsOf(next).standard(signed, body, 'base64')}`
  return {
    'X-Webhook-Signature': `sha256=${hex}`,
    'X-Webhook-Timestamp': `${timestamp}`,
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': signatures,
  }
}
