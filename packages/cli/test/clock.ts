import { onTestFinished, vi } from 'vitest'

/** For this process it stays this moment until the test ends: what is printed twice has one age, and is of one day. */
export function stopClock(now = Date.now()): void {
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => void vi.useRealTimers())
}
