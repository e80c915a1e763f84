import { exitCodes } from './outcome.js'

const parentPollMs = 500

/** What comes again so soon is the same request: process managers tell the group as well as its leader. */
const sameRequestMs = 1000

/**
 * From now on SIGINT, SIGTERM and SIGHUP end the process at once, unless it is waiting on the returned function: then the
 * first one resolves it, and the next one ends the process; a SIGTERM or SIGHUP within a second is the same request.
 * SIGUSR1 does nothing: by default Node would open a debugger to every user of this machine.
 */
export function stopRequests(): () => Promise<void> {
  const parent = process.ppid
  let stop: (() => void) | null = null
  let stoppedAt: number | null = null
  const request = (exitCode: number) => {
    if (stop === null) {
      if (isSameRequest(exitCode, stoppedAt, performance.now())) return
      process.exit(exitCode)
    }
    stop()
    stop = null
    stoppedAt = performance.now()
  }
  process.on('SIGINT', () => request(exitCodes.interrupted))
  process.on('SIGTERM', () => request(128 + 15))
  process.on('SIGHUP', () => request(128 + 1))
  if (process.platform !== 'win32') process.on('SIGUSR1', () => {})

  return () =>
    new Promise((resolve) => {
      stop = resolve
      if (diesWithParent(process.env)) whenGone(parent, () => stop?.())
    })
}

/** @param stoppedAt when the first one came; null: none did */
export const isSameRequest = (exitCode: number, stoppedAt: number | null, now: number): boolean =>
  stoppedAt !== null && exitCode !== exitCodes.interrupted && now - stoppedAt < sameRequestMs

/**
 * Under `npx` and `npm start`, a SIGTERM ends npm and the shell below it, and would leave the service behind. Anywhere
 * else a service outlives whatever started it: a shell that has put it into the background may go.
 */
function diesWithParent({ npm_lifecycle_event: script }: NodeJS.ProcessEnv): boolean {
  return script === 'npx' || script === 'start'
}

function whenGone(parent: number, gone: () => void): void {
  const poll = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(poll)
    gone()
  }, parentPollMs).unref()
}
