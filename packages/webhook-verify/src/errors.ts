/** Why a webhook was refused. The list is closed: a `switch` over it can be exhaustive. */
export type VerificationFailure =
  /** A header that the scheme needs is missing or empty. */
  | 'missing_header'
  /** A header that the scheme needs came more than once, so that two readers could use different ones. */
  | 'duplicate_header'
  /** The timestamp does not consist of digits. */
  | 'malformed_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  /** The signature header contains no signature in the scheme's form. */
  | 'malformed_signature'
  /** The secret, the body or a signed header is not what the sender signed. */
  | 'signature_mismatch'
  /** Correctly signed, but not an event: not UTF-8, not JSON, or without `event`, `timestamp` and `data`. */
  | 'malformed_body'
  /** Longer than `maxBodyBytes`; only the framework adapters read bodies themselves. */
  | 'body_too_large'

/** A webhook that is not authentic. `reason` is stable; `message` names the header or the limit, never a secret. */
export class WebhookVerificationError extends Error {
  readonly reason: VerificationFailure

  constructor(reason: VerificationFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'WebhookVerificationError'
    this.reason = reason
  }
}
