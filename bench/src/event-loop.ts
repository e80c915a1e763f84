// Loaded before `sav` by processes.ts: reports on request how long its event loop was blocked.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const resolutionMs = 2

if (isMainThread && process.send !== undefined) {
  // The child processes of `sav` must not load this file.
  delete process.env['NODE_OPTIONS']
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  const later = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs)
  let longestHold: (() => number) | undefined
  process.on('message', (question) => {
    if (question === 'hold') {
      longestHold ??= watchHolds()
      process.send?.(longestHold())
      return
    }
    process.send?.({ p99Ms: later(delays.percentile(99)), maxMs: later(delays.max) })
    delays.reset()
  })
  process.channel?.unref()
}

/**
 * Returns a function that returns the longest time, in milliseconds, for which this thread blocked others since its
 * last call. It is processor time, so a busy machine does not count as a hold.
 */
function watchHolds(): () => number {
  const spentMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longestMs = 0
  let last = spentMs()
  const tick = () => {
    const now = spentMs()
    longestMs = Math.max(longestMs, now - last)
    last = now
  }
  setInterval(tick, 1).unref()
  return () => {
    tick()
    const measured = longestMs
    longestMs = 0
    return measured
  }
}
