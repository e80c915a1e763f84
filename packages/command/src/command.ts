import { writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { type Command, CommanderError } from 'commander'
import type { Execute } from './invocation/action.js'
import { type CommandFeature, loadingOf } from './invocation/command-feature.js'
import type { CommandGroup } from './invocation/command-group.js'
import { CommandError } from './process/command-error.js'
import type { Failure } from './process/failures.js'
import { stopRequests } from './process/interruption.js'
import { type ExitCode, exitCodes, type Output } from './process/outcome.js'
import type { ProcessIO } from './process/process-io.js'
import { createProgram } from './program.js'
import type { LoadFeatures } from './settings/settings.js'
import { installedSettings } from './settings/settings-file.js'
import { withCommandMeant } from './syntax/command-meant.js'
import { asTyped } from './syntax/field-command.js'
import { wrongUse } from './syntax/wrong-use.js'
import { askAtTerminal, askForLine, readSecretLine } from './terminal/confirmation.js'
import { guarded, jsonText } from './terminal/safe-text.js'
import { shownSafely, terminalOf } from './terminal/terminal.js'

type InContext = typeof import('./invocation/run-in-context.js').inContext

/** The parts from which a command is created. */
export interface CommandOptions {
  /** The features besides the core. Each comes after the features that it builds on. */
  readonly features: readonly CommandFeature[]
  /** Groups of commands that belong to no feature. */
  readonly commands?: readonly CommandGroup[]
}

/** The command, to run once or as the program of this process. */
export interface CreatedCommand {
  /**
   * Runs the command of this process and sets its exit code. Until the command has finished, the exit code is
   * `unfinished`, because Node ends a process whose event loop is empty, even while it awaits something.
   * @param inContext for tests
   */
  main(inContext?: InContext): Promise<void>
  /**
   * Runs one command, from its arguments to its exit code.
   * @param argv without the names of node and the script
   */
  run(argv: readonly string[], given: ProcessIO, ownContext?: InContext): Promise<ExitCode>
}

/** The command `sav` with these features: `await createCommand({ features: [tagCommand] }).main()` is a bin. */
export function createCommand(made: CommandOptions): CreatedCommand {
  const load = loadingOf(made.features)
  const run: CreatedCommand['run'] = (argv, given, ownContext) => runOne({ made, load, argv, given, ownContext })
  return { run, main: (inContext) => mainOf(run, inContext) }
}

async function mainOf(run: CreatedCommand['run'], inContext?: InContext): Promise<void> {
  process.exitCode = exitCodes.unfinished
  process.once('beforeExit', tellUnfinished)
  process.stdout.on('error', leave)
  process.stderr.on('error', leave)
  const { env, stdout, stderr } = process
  const stdin = () => process.stdin
  const isAttended = stderr.isTTY && process.stdin.isTTY
  const ask = isAttended ? askAtTerminal : null
  const askFor = isAttended ? askForLine : null
  const { untilStopped, letGo } = stopRequests()
  const readSecret = (question: string) => readSecretLine({ stdin, stderr }, question)
  // Our own tests set this variable to an empty text: they must not depend on the machine's installation.
  const installed = env['SAV_TEST_INSTALLED_SETTINGS'] ?? installedSettings
  const own = { env, cwd: process.cwd(), installedSettings: installed || null }
  const io = { ...own, stdin, stdout, stderr, untilStopped, ask, askFor, readSecret }
  process.exitCode = await run(process.argv.slice(2), io, inContext)
  process.off('beforeExit', tellUnfinished)
  letGo()
  await Promise.all([stdout, stderr].map(taken))
  // The command has finished: half a second later, the process ends even if something still keeps it alive.
  setTimeout(() => process.exit(), 500).unref()
}

function tellUnfinished(): void {
  process.stderr.write(
    'sav ended before it had finished, which is a fault of sav itself: part of the work may be missing.\n',
  )
}

/** Resolves when everything written is out of this process. A pipe holds only 64 kB; the rest is lost on exit. */
const taken = (stream: Writable) => new Promise<void>((resolve) => stream.write('', () => resolve()))

/** Ends the process after a failed write: quietly if the reader has ended, as in `sav cases list | head`. */
function leave(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  const problem = error.code === 'ENOSPC' ? 'the disk is full' : (error.code ?? error.message)
  try {
    writeSync(2, `The output could not be written: ${problem}.\n`)
  } finally {
    process.exit(exitCodes.failed)
  }
}

function readable({ text, isVerbatim }: Output, { stdout, env }: ProcessIO): string {
  return isVerbatim ? text : shownSafely(text, { coloured: terminalOf(stdout, env).isTerminal })
}

interface Run {
  readonly made: CommandOptions
  readonly load: LoadFeatures
  readonly argv: readonly string[]
  readonly given: ProcessIO
  readonly ownContext: InContext | undefined
}

async function runOne({ made, load, argv, given, ownContext }: Run): Promise<ExitCode> {
  const flags = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined)
  const json = flags.includes('--json')
  const env = flags.includes('--no-color') ? { ...given.env, NO_COLOR: '1' } : given.env
  const io = { ...given, env, stdout: guarded(given.stdout), stderr: guarded(given.stderr) }
  let exitCode: ExitCode = exitCodes.done
  const firstQuestions = made.features.flatMap(({ firstQuestion }) => firstQuestion ?? [])
  const kinds = made.features.flatMap(({ events = [] }) => events)
  const execute: Execute = async ({ action, ...called }) => {
    const inContext = ownContext ?? (await import('./invocation/run-in-context.js')).inContext
    const output = await inContext(io, { ...called, features: load, firstQuestions, kinds }, action)
    const { options } = called
    if (output === undefined) return
    if (options.json && output.beside !== undefined) io.stderr.write(`${output.beside}\n`)
    io.stdout.write(`${options.json ? jsonText(output.json) : readable(output, io)}\n`)
    exitCode = output.exitCode ?? exitCodes.done
  }
  const program = createProgram({ ...made, io, execute, argv })
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done
    const meant = commandOf(program, argv)
    const found = await failureOf(error, meant, load)
    const failure = { ...found, message: asTyped(found.message, meant.command, flags) }
    io.stderr.write(`${json ? failureAsJson(failure) : shownSafely(failure.message, { coloured: false })}\n`)
    return failure.exitCode
  }
}

/** Converts an error to a failure. The core's errors are left to `failures.js`, because that file loads the core. */
async function failureOf(error: unknown, { names, command }: CommandMatch, load: LoadFeatures): Promise<Failure> {
  if (error instanceof CommandError) return error
  if (error instanceof CommanderError)
    return { exitCode: exitCodes.usage, code: 'usage', message: usageOf(error, { names, command }) }
  const { failureOf } = await import('./process/failures.js')
  const taken = command.registeredArguments.map((argument) => `<${argument.name()}>`)
  // Features that cannot be loaded must not hide the error.
  const loaded = await load().catch(() => [])
  const ofFeatures = Object.assign({}, ...loaded.map(({ sentences }) => sentences))
  return failureOf(error, { taken: [...taken, ...command.options.map(({ long }) => long ?? '')], ofFeatures })
}

function usageOf(error: CommanderError, { names, command }: CommandMatch): string {
  if (error.code === 'commander.help') return 'A command is missing.'
  const refused = wrongUse(error)
  const hinted = error.code === 'commander.unknownCommand' ? withCommandMeant(refused, command) : refused
  return `${hinted}\nSee ${names.join(' ')} --help.`
}

interface CommandMatch {
  readonly names: readonly string[]
  readonly command: Command
}

/**
 * The command that the arguments name, such as `sav webhooks add`. Words that name no command, such as options, are
 * skipped.
 */
function commandOf(program: Command, argv: readonly string[]): CommandMatch {
  const names = [program.name()]
  let command = program
  for (const word of argv) {
    const next = command.commands.find((each) => each.name() === word)
    if (next === undefined) continue
    names.push(word)
    command = next
  }
  return { names, command }
}

function failureAsJson({ code, message, details, more }: Failure): string {
  return jsonText({ error: { code, message, details, ...more } })
}
