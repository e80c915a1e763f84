import { setTimeout } from 'node:timers/promises'
import { failureOf } from '../process/failures.js'
import { exitCodes, type Output } from '../process/outcome.js'
import { jsonText } from './safe-text.js'
import { type Display, shownSafely } from './terminal.js'

const home = '\u001b[H\u001b[2J'

/**
 * Shows the result of `look` repeatedly, until the command is stopped. On a terminal, each result replaces the previous
 * one. Elsewhere a result is written only after a change; with `--json`, on one line.
 */
export async function watch(
  context: Display,
  look: () => Promise<Output>,
  { everyMs }: { readonly everyMs: number },
): Promise<undefined> {
  const { json, stdout, terminal } = context
  let shown: string | undefined
  await lookUntilStopped(
    context,
    async () => {
      const output = await look()
      const text = json ? jsonText(output.json) : shownSafely(output.text, { coloured: terminal.isTerminal })
      if (text !== shown || terminal.isTerminal) stdout.write(`${terminal.isTerminal && !json ? home : ''}${text}\n`)
      shown = text
    },
    { everyMs },
  )
}

/**
 * Repeats `look` until the command is stopped. If the service or the database is temporarily unavailable, that is
 * reported once on standard error, and `look` is repeated until it succeeds.
 * @throws any error of the first look, and later errors with another cause
 */
export async function lookUntilStopped(
  { stderr, untilStopped }: Pick<Display, 'stderr' | 'untilStopped'>,
  look: () => Promise<void>,
  { everyMs }: { readonly everyMs: number },
): Promise<void> {
  const stop = new AbortController()
  void untilStopped().then(() => stop.abort())
  await look()
  let isAway = false
  while (true) {
    await setTimeout(everyMs, undefined, { signal: stop.signal }).catch(() => {})
    if (stop.signal.aborted) return
    try {
      await look()
      isAway = false
    } catch (error) {
      const { exitCode, message } = failureOf(error)
      if (exitCode !== exitCodes.unavailable) throw error
      if (!isAway) stderr.write(`${message} (waiting until it is back)\n`)
      isAway = true
    }
  }
}
