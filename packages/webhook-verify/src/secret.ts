import { macWith } from '#hmac'
import type { Mac } from './mac.js'

/** The two keys of one secret. */
interface SecretMacs {
  /** Keyed with the secret as shown, in UTF-8. */
  readonly specification: Mac
  /** Keyed with the decoded bytes of its base64. */
  readonly standard: Mac
}

/** `whsec_` and the padded base64 of at least 24 bytes, the minimum of Standard Webhooks (ours have 32). */
const shape = /^whsec_((?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/**
 * Preparing a secret takes longer than signing with it, so secrets stay prepared, at about 1 KiB each. Beyond this
 * number, all are dropped, and prepared again when used.
 */
const capacity = 4096
const prepared = new Map<string, SecretMacs>()

/**
 * @throws {TypeError} when `secret` is not a webhook secret: a mistake in the configuration. The message does not
 *   contain the secret.
 */
export function macsOf(secret: string): SecretMacs {
  const known = prepared.get(secret)
  if (known !== undefined) return known

  const macs = prepare(secret)
  if (prepared.size >= capacity) prepared.clear()
  prepared.set(secret, macs)
  return macs
}

function prepare(secret: unknown): SecretMacs {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('The webhook secret is missing.')
  const base64 = shape.exec(secret)?.[1]
  if (base64 === undefined) {
    const hint = secret.trim() === secret ? '' : ' and white space around it'
    throw new TypeError(
      `The webhook secret must be "whsec_" and the base64 of at least 24 bytes, as it was shown. This one has ${secret.length} characters${hint}.`,
    )
  }
  return {
    specification: macWith(bytesOf(secret)),
    standard: macWith(bytesOf(atob(base64))),
  }
}

/** One byte for each character: a secret is ASCII, and `atob` returns bytes this way. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
