import { exitCodes } from './outcome.js'

const parentPollMs = 500

/**
 * A second signal within this time counts as the same request: process managers signal both the group and its leader.
 */
const sameRequestMs = 1000

/** The longest time that Node's timers accept: 24 days. */
const longestMs = 2 ** 31 - 1

/** How long after the first signal the process ends, even if work is unfinished. */
const maxStopMs = 9_900

interface StopRequests {
  /**
   * Resolves at the first signal. The process stays alive as long as a command waits for it.
   * @param drainMs how much longer than usual the stop may take
   */
  readonly untilStopped: (drainMs?: number) => Promise<void>
  /** To be called when the command has finished and no longer waits for a signal. */
  readonly letGo: () => void
}

/**
 * From now on SIGINT, SIGTERM and SIGHUP end the process at once, unless a command waits on `untilStopped`. Then the
 * first signal resolves that promise, and the next signal or the time limit ends the process. A further SIGTERM or
 * SIGHUP within a second counts as the same request. SIGUSR1 does nothing: by default Node would open a debugger to
 * every user of this machine.
 */
export function stopRequests(): StopRequests {
  const parent = process.ppid
  let stop: (() => void) | null = null
  let stoppedAt: number | null = null
  let waiting: NodeJS.Timeout | undefined
  let isOver = false
  const request = (exitCode: number) => {
    if (stop !== null) return stop()
    if (!isSameRequest(exitCode, stoppedAt, performance.now())) process.exit(exitCode)
  }
  const cutOff = () => {
    if (!isOver) process.stderr.write('sav was asked to stop, and unfinished work was cut off.\n')
    // Keeps `process.exitCode`: that of an unfinished command, unless the command has finished.
    process.exit()
  }
  process.on('SIGINT', () => request(exitCodes.interrupted))
  process.on('SIGTERM', () => request(128 + 15))
  process.on('SIGHUP', () => request(128 + 1))
  if (process.platform !== 'win32') process.on('SIGUSR1', () => {})

  return {
    untilStopped: (drainMs = 0) =>
      new Promise((resolve) => {
        stop = () => {
          clearInterval(waiting)
          stop = null
          stoppedAt = performance.now()
          setTimeout(cutOff, maxStopMs + drainMs).unref()
          resolve()
        }
        // A signal listener does not keep the process alive. This timer does.
        waiting = diesWithParent(process.env)
          ? setInterval(() => process.ppid !== parent && stop?.(), parentPollMs)
          : setInterval(() => {}, longestMs)
      }),
    letGo() {
      isOver = true
      clearInterval(waiting)
      stop = null
    },
  }
}

/**
 * Whether a signal belongs to the same request to stop as the first one.
 * @param stoppedAt when the first signal came; null if none came
 */
export const isSameRequest = (exitCode: number, stoppedAt: number | null, now: number): boolean =>
  stoppedAt !== null && exitCode !== exitCodes.interrupted && now - stoppedAt < sameRequestMs

/**
 * Whether the process must stop when its parent ends. Under `npx` and `npm start`, a SIGTERM ends only npm and its
 * shell. Elsewhere a service outlives its parent: the shell that put it into the background may exit.
 */
function diesWithParent({ npm_lifecycle_event: script }: NodeJS.ProcessEnv): boolean {
  return script === 'npx' || script === 'start'
}
