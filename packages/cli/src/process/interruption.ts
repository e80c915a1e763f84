import { exitCodes } from './outcome.js'

const parentPollMs = 500

/**
 * From now on SIGINT and SIGTERM end the process at once, unless it is waiting on the returned function: then the first
 * one resolves it, and the next one ends the process.
 */
export function stopRequests(): () => Promise<void> {
  const parent = process.ppid
  let stop: (() => void) | null = null
  const request = (exitCode: number) => {
    if (stop === null) process.exit(exitCode)
    stop()
    stop = null
  }
  process.on('SIGINT', () => request(exitCodes.interrupted))
  process.on('SIGTERM', () => request(128 + 15))

  return () =>
    new Promise((resolve) => {
      stop = resolve
      if (diesWithParent(process.env)) whenGone(parent, () => stop?.())
    })
}

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
