import { onTestFinished, vi } from 'vitest'

/** Stops the time of this process until the test ends, so that two prints have the same ages and day. */
export function stopClock(now = Date.now()): void {
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => void vi.useRealTimers())
}
