import type { Command } from 'commander'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { candidatesFor, type LiveKind } from './candidates.js'
import { completionScript, type Shell } from './scripts.js'

/** @param program with all its commands */
export async function printCompletion(program: Command, shell: Shell): Promise<Output> {
  const commands = program.createHelp().visibleCommands(program)
  const text = completionScript(
    shell,
    commands.map((command) => command.name()),
  )
  return { json: { shell, script: text }, text, isVerbatim: true }
}

/** The candidates for the last of `words`. Unavailable values are left out: completion must not show errors. */
export async function complete(program: Command, context: Context, words: readonly string[]): Promise<Output> {
  const typed = words.at(-1) ?? ''
  const { known, live } = candidatesFor(program, words)
  const values = live === null ? [] : await liveOf(context, live, typed)
  const found = [...known, ...values].filter(({ value }) => value.startsWith(typed))
  const text = found.map(({ value, means }) => `${value}\t${means}`).join('\n')
  return { json: found, text, isVerbatim: true }
}

async function liveOf(context: Context, kind: LiveKind, typed: string) {
  const { liveValues } = await import('./live-values.js')
  return liveValues(context, kind, typed).catch(() => [])
}
