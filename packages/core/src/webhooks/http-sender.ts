import type { SendResult } from '../delivery/channel.js'

/** Sends one HTTP POST. */
export interface HttpSender {
  /**
   * Resolves within `timeoutMs` of being called, connecting included. A status of 200–299 in that time is a success,
   * whatever the body does afterwards. Follows no redirect, and keeps at most 16 KiB of the answer. Rejects only when
   * the fault is our own: our proxy is unreachable, or one of our own limits prevents sending to this
   * receiver. Then nothing was sent.
   */
  post(request: {
    /** Whose receiver it is. Accounts take turns in look-ups of names. */
    readonly account_id: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly timeoutMs: number
  }): Promise<SendResult>
  close(): Promise<void>
}
