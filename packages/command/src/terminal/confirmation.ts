import { Writable } from 'node:stream'
import { CommandError, usageError } from '../process/command-error.js'
import type { ProcessIO } from '../process/process-io.js'
import { oneLine } from './terminal.js'

/**
 * Resolves if the action is confirmed, by `yes` or by the person at the terminal.
 * @throws CommandError if the answer is no, or there is no terminal
 */
export async function confirm(
  { ask }: Pick<ProcessIO, 'ask'>,
  { yes = false, question }: { readonly yes?: boolean | undefined; readonly question: string },
): Promise<void> {
  if (yes) return
  const shown = oneLine(question)
  if (ask === null) throw usageError(`${shown} Confirm with --yes: there is no terminal to ask at.`)
  if (!(await ask(shown))) throw new CommandError('declined', 'Nothing was done.')
}

/** Reads the next line of standard input. At a terminal, the typed text is not shown. */
export async function readSecretLine({ stdin, stderr }: Pick<ProcessIO, 'stdin' | 'stderr'>, question: string) {
  const input = stdin()
  const isTerminal = 'isTTY' in input && input.isTTY === true
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  if (isTerminal) stderr.write(oneLine(question))
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input, output: unseen, terminal: isTerminal })
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return (await lines[Symbol.asyncIterator]().next()).value ?? ''
  } finally {
    lines.close()
    if (isTerminal) stderr.write('\n')
  }
}

export const askAtTerminal = async (question: string): Promise<boolean> =>
  /^(y|yes|o|oui)$/i.test(await askForLine(`${question} [y/N]`))

/** Asks a question at the terminal. Resolves to the typed line, trimmed. */
export async function askForLine(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // While readline reads a line, Ctrl-C sends no signal to the process. This sends it.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return (await lines.question(`${question} `)).trim()
  } finally {
    lines.close()
  }
}
