import { useEffect } from 'preact/hooks'
import { type Delivery, serverNow } from '../api/client.js'

/** How long after an attempt was due to look for its outcome. Most attempts end sooner; the slowest takes 5 seconds. */
const attemptMs = 1000

/**
 * Reads the deliveries again once the next attempt was due, then at growing intervals, because no event reports the
 * outcome of an attempt.
 */
export function useAttempts(deliveries: readonly Pick<Delivery, 'next_attempt_at'>[], reload: () => void): void {
  const due = deliveries.flatMap(({ next_attempt_at }) =>
    next_attempt_at === null ? [] : [Date.parse(next_attempt_at)],
  )
  const next = due.length === 0 ? null : Math.min(...due)
  useEffect(() => {
    if (next === null) return
    let timer: ReturnType<typeof setTimeout>
    const wait = () => {
      timer = setTimeout(look, attemptMs + Math.min(Math.abs(next - serverNow()), 3_600_000))
    }
    const look = () => {
      reload()
      wait()
    }
    wait()
    return () => clearTimeout(timer)
  }, [next])
}
