/** Why a webhook was refused. The list is closed: a `switch` over it can be exhaustive. */
export type VerificationFailure =
  /** A header that the scheme needs is absent or empty. */
  | 'missing_header'
  /** A header that the scheme needs came more than once, so that two readers could each read another one. */
  | 'duplicate_header'
  /** The timestamp is not made of digits alone. */
  | 'malformed_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  /** The signature header holds nothing of the form that the scheme writes. */
  | 'malformed_signature'
  /** The secret, the body or a signed header is not what the sender signed. */
  | 'signature_mismatch'
  /** Rightly signed, but no event: not UTF-8, not JSON, or without `event`, `timestamp` and `data`. */
  | 'malformed_body'
  /** Longer than `maxBodyBytes`; only the framework doors read bodies themselves. */
  | 'body_too_large'

/** A webhook that is not authentic. `reason` is stable; `message` names the header or the bound, never a secret. */
export class WebhookVerificationError extends Error {
  readonly reason: VerificationFailure

  constructor(reason: VerificationFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'WebhookVerificationError'
    this.reason = reason
  }
}
