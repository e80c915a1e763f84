import { toInstant, toMs } from '../time/time.js'
import type { DeliveryState } from '../values/vocabulary.js'

/** Offsets from the event in milliseconds, ascending, the first one 0: as many attempts as entries. */
export type RetrySchedule = readonly number[]

/** Delivery as the API's specification defines it: six attempts over six hours, 5 s each. */
export const specifiedDelivery = {
  schedule: [0, 30_000, 120_000, 600_000, 3_600_000, 21_600_000],
  timeoutMs: 5000,
  concurrency: { total: 256, perTarget: 16 },
} as const

/** The new fields of a delivery after an attempt. A store writes them as they are. */
export interface DeliveryUpdate {
  readonly state: DeliveryState
  readonly attempt_count: number
  readonly run_attempt_count: number
  readonly next_attempt_at: string | null
  readonly last_status: number | null
  readonly last_error: string | null
  readonly last_error_code: string | null
}

/** The part of a delivery that the decision depends on. */
interface AttemptCounts {
  readonly attempt_count: number
  readonly run_attempt_count: number
  readonly run_started_at: string
}

interface Outcome {
  readonly ok: boolean
  readonly status: number | null
  readonly error: string | null
  readonly errorCode?: string | null
  /** Set when a retry cannot help. */
  readonly final?: true
  /** When the attempt began, in milliseconds. */
  readonly startedAt: number
}

/**
 * Attempt n of a run is due at `run_started_at + schedule[n - 1]`. If an attempt began so late that the next one is
 * already due, the next one keeps the gap between the two offsets instead, so that an outage of ours causes no burst.
 * @param now in milliseconds since the Unix epoch
 */
export function decideAfterAttempt(
  schedule: RetrySchedule,
  delivery: AttemptCounts,
  outcome: Outcome,
  now: number,
): DeliveryUpdate {
  const made = delivery.run_attempt_count + 1
  const attempted = {
    attempt_count: delivery.attempt_count + 1,
    run_attempt_count: made,
    last_status: outcome.status,
    last_error: outcome.error,
    last_error_code: outcome.errorCode ?? null,
  }
  if (outcome.ok) return { ...attempted, state: 'delivered', next_attempt_at: null }

  const offset = schedule[made]
  if (offset === undefined || outcome.final) return { ...attempted, state: 'failed', next_attempt_at: null }

  const planned = toMs(delivery.run_started_at) + offset
  const gap = offset - (schedule[made - 1] ?? 0)
  const next = planned > now ? planned : outcome.startedAt + gap
  return { ...attempted, state: 'pending', next_attempt_at: toInstant(Math.max(next, now)) }
}
