/**
 * What the service's time is estimated from: the `Date` header of an answer (`date`), and when the call was sent and
 * answered, in milliseconds since the epoch by the phone's clock.
 */
export interface DatedAnswer {
  readonly date: string | null
  readonly sentAt: number
  readonly receivedAt: number
}

/** An answer that took longer is ignored: it would give the time too imprecisely. */
const maxTripMs = 10_000
/** The header `Date` has whole seconds. */
const roundingMs = 1_000

/**
 * How far the phone's clock is ahead of the service's, in milliseconds.
 * @param known the estimate so far, which is returned if the answer does not contradict it
 */
export function aheadMs({ date, sentAt, receivedAt }: DatedAnswer, known: number): number {
  const told = Date.parse(date ?? '')
  const tripMs = receivedAt - sentAt
  if (!Number.isFinite(told) || tripMs < 0 || tripMs > maxTripMs) return known
  const measured = Math.round((sentAt + receivedAt) / 2 - (told + roundingMs / 2))
  return Math.abs(measured - known) <= tripMs / 2 + roundingMs ? known : measured
}
