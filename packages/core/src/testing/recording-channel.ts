import type { Channel, SendResult } from '../delivery/channel.js'
import type { ClaimedDelivery } from '../delivery/delivery-queue.js'

/** One call of a recording channel. */
export interface Sent {
  readonly delivery: ClaimedDelivery
  /** In milliseconds since the Unix epoch. */
  readonly startedAt: number
}

/** A channel that records what it should send, for tests. */
export interface RecordingChannel extends Channel {
  send(...call: Parameters<Channel['send']>): Promise<SendResult>
  /** Every call so far, in order; the array grows with each one. */
  readonly sent: readonly Sent[]
}

/**
 * A channel that sends nothing. Its answers come from a list, whose last result repeats (an empty list accepts
 * everything), or from a function of the call, which may also wait or throw.
 */
export function recordingChannel(
  script: readonly SendResult[] | ((call: Sent) => SendResult | Promise<SendResult>) = [],
  timeoutMs = 5000,
): RecordingChannel {
  const sent: Sent[] = []
  return {
    timeoutMs,
    sent,
    async send(delivery, attempt) {
      const call = { delivery, ...attempt }
      sent.push(call)
      if (typeof script === 'function') return script(call)
      return script[sent.length - 1] ?? script.at(-1) ?? httpAnswer(200)
    },
  }
}

/** The result of an attempt answered with this status. */
export function httpAnswer(status: number, fields: Partial<SendResult> = {}): SendResult {
  const ok = status >= 200 && status < 300
  return {
    ok,
    status,
    error: ok ? null : `HTTP ${status}`,
    unreachable: false,
    durationMs: 5,
    responseHeaders: {},
    response: '',
    ...fields,
  }
}

/** The result of an attempt without an answer. */
export function noAnswer(error = 'connection refused', fields: Partial<SendResult> = {}): SendResult {
  return {
    ok: false,
    status: null,
    error,
    unreachable: true,
    durationMs: 5,
    responseHeaders: null,
    response: null,
    ...fields,
  }
}
