import type { FailureCode } from '../receivers/failures.js'
import type { ClaimedDelivery } from './delivery-queue.js'

/** Sends deliveries of one kind, such as webhooks or e-mails. */
export interface Channel {
  /** The time limit of a whole attempt, connecting included. A lease lasts longer. */
  readonly timeoutMs: number
  /**
   * Makes one attempt. Resolves within `timeoutMs` of `startedAt` (ms), whatever the receiver does. If nothing was
   * sent, the delivery is released and no attempt is counted. It then resolves to null if the target is disabled, and
   * rejects if the fault is our own. An OwnLimitError pauses this target. Any other error, such as an unavailable
   * store, pauses the whole channel.
   */
  send(delivery: ClaimedDelivery, attempt: { readonly startedAt: number }): Promise<SendResult | null>
}

/**
 * The result of one attempt. `error` is null on success; otherwise it says in plain words, for the target's owner, what
 * is wrong.
 */
export interface SendResult {
  readonly ok: boolean
  /** HTTP status, or null when there was none. */
  readonly status: number | null
  readonly error: string | null
  /** The error as a code for programs, if there is one. */
  readonly errorCode?: FailureCode | null
  /** True when the target itself was slow or unreachable (timeout, refused connection), false when it answered. */
  readonly unreachable: boolean
  readonly durationMs: number
  readonly responseHeaders: Readonly<Record<string, string>> | null
  /** The beginning of the answer as text, at most 16 KiB. */
  readonly response: string | null
  /** A failure that a retry cannot fix: no further attempt is made. */
  readonly final?: true
}
