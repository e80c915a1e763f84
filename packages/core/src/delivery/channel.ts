import type { FailureCode } from '../receivers/failures.js'
import type { ClaimedDelivery } from './delivery-queue.js'

/** A way out of the house. */
export interface Channel {
  /** A whole attempt, connect included. A lease lasts longer. */
  readonly timeoutMs: number
  /**
   * Resolves within `timeoutMs` of `startedAt` (ms), whatever the receiver does. When nothing was sent the delivery is given
   * back and no attempt counted: null says that its target is disabled, a rejection that the reason is our own (the store
   * is away).
   */
  send(delivery: ClaimedDelivery, attempt: { readonly startedAt: number }): Promise<SendResult | null>
}

/** What one attempt met. `error` is null on success, else plain words for the owner of the target. */
export interface SendResult {
  readonly ok: boolean
  /** HTTP status, or null when there was none. */
  readonly status: number | null
  readonly error: string | null
  /** The same for programs, where it is among those that are known. */
  readonly errorCode?: FailureCode | null
  /** True when the target itself was slow or away (timeout, refused connection), not when it answered. */
  readonly unreachable: boolean
  readonly durationMs: number
  readonly responseHeaders: Readonly<Record<string, string>> | null
  /** At most 16 KiB of the answer, as text. */
  readonly response: string | null
  /** A failure that no repetition mends: no further attempt is made. */
  readonly final?: true
}
