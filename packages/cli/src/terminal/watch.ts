import { setTimeout } from 'node:timers/promises'
import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { shownSafely } from './terminal.js'

const home = '\u001b[H\u001b[2J'

/**
 * Shows what `look` gives, again and again, until it is stopped. A terminal shows it in place of what stood there; anything
 * else gets it when it has changed, with `--json` as a line.
 */
export async function watch(
  context: Context,
  look: () => Promise<Output>,
  { everyMs }: { readonly everyMs: number },
): Promise<undefined> {
  const { json, stdout, terminal } = context
  const stop = new AbortController()
  void context.untilStopped().then(() => stop.abort())
  let shown: string | undefined
  while (!stop.signal.aborted) {
    const output = await look()
    const text = json ? JSON.stringify(output.json) : shownSafely(output.text, { coloured: terminal.isTerminal })
    if (text !== shown || terminal.isTerminal) stdout.write(`${terminal.isTerminal && !json ? home : ''}${text}\n`)
    shown = text
    await setTimeout(everyMs, undefined, { signal: stop.signal }).catch(() => {})
  }
}
