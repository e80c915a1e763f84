import { onTestFinished, vi } from 'vitest'

/** Stops the clock of this process until the test ends, so that two outputs show the same ages and dates. */
export function stopClock(now = Date.now()): void {
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => void vi.useRealTimers())
}
