import type { SendResult } from '../delivery/channel.js'

/** Sends one HTTP POST. */
export interface HttpSender {
  /**
   * Resolves within `timeoutMs` of being called, connecting included. A status of 200–299 in that time is a success,
   * whatever happens to the body afterwards. Follows no redirect, and keeps at most 16 KiB of the answer. Rejects only
   * for a fault of our own, before anything was sent: our proxy is unreachable, or one of our own limits prevents
   * sending to this receiver.
   */
  post(request: {
    /** The receiver's account: accounts take turns in name look-ups. */
    readonly account_id: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly timeoutMs: number
  }): Promise<SendResult>
  close(): Promise<void>
}
