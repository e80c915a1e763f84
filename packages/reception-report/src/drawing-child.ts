import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { layOut } from './document.js'
import {
  type DrawingMessage,
  type DrawingOrder,
  type DrawingResults,
  type DrawingTask,
  stopSignals,
} from './drawing-task.js'
import { drawInk, drawPhoto } from './photos.js'

// The program of the drawing process, which drawing-process.ts starts, and whose memory it limits.

const maxBytes = Number(process.argv[2])
const watchEveryMs = 20

const say = (message: DrawingMessage) => process.send?.(message)

function draw(task: DrawingTask): Promise<DrawingResults[keyof DrawingResults]> {
  if (task.kind === 'photo') return drawPhoto(task.file, task.maxBytes)
  if (task.kind === 'ink') return drawInk(task.file)
  return layOut(task, task.timeZone)
}

/** Starts to measure processor time. The returned function gives the milliseconds used since then. */
function stopwatch(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}

let underWay: { readonly spentMs: () => number; readonly allowedMs: number } | null = null

process.on('message', ({ task, allowedMs }: DrawingOrder) => {
  const spentMs = stopwatch()
  underWay = { spentMs, allowedMs }
  const ended = (message: DrawingMessage) => {
    underWay = null
    say(message)
  }
  draw(task).then(
    (result) => ended({ kind: 'result', result, spentMs: spentMs() }),
    (error: unknown) => {
      const words = error instanceof Error ? (error.stack ?? error.message) : `${error}`
      ended({ kind: 'failure', error: words, spentMs: spentMs() })
    },
  )
})

// Killed, since any other exit would wait for the picture in progress: libuv waits for its threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

// Ignores signals, since the service decides when this process ends.
for (const signal of stopSignals) process.on(signal, () => {})

// Node's options limit only the heap, but libvips uses memory outside it.
setInterval(() => {
  if (process.memoryUsage.rss() > maxBytes) say({ kind: 'exceeded' })
  const spentMs = underWay?.spentMs() ?? 0
  if (underWay !== null && spentMs > underWay.allowedMs) say({ kind: 'timeout', spentMs })
}, watchEveryMs)

try {
  // If the machine runs out of memory, Linux should end this process, not the service.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // This platform has no such file.
}

try {
  // API calls take precedence over reports. With PRIORITY_BELOW_NORMAL, reports would take twice as long on a busy
  // machine: 20 s instead of 11 s for eight reports, beside four busy programs on two processors.
  setPriority(5)
} catch {
  // This user may not set a priority.
}

say({ kind: 'ready' })
