// Loaded before `sav` by whoever starts it (processes.ts): tells, when asked, for how long its event loop was held up.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const resolutionMs = 2

if (isMainThread && process.send !== undefined) {
  // Its own children are not asked.
  delete process.env['NODE_OPTIONS']
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  const later = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolutionMs)
  process.on('message', () => {
    process.send?.({ p99Ms: later(delays.percentile(99)), maxMs: later(delays.max) })
    delays.reset()
  })
  process.channel?.unref()
}
