import type { Argument, Command } from 'commander'
import { exitCodes, type Output } from '../process/outcome.js'
import { englishNames } from '../syntax/field-command.js'
import { version } from '../version.js'

/** The manual page of all commands, for `man`. @param program with all its commands */
export async function printManPage(program: Command): Promise<Output> {
  const text = manPage(program)
  return { json: { page: text }, text, isVerbatim: true }
}

function manPage(program: Command): string {
  const help = program.createHelp()
  return [
    `.TH SAV 1 "" ${quoted(`sav ${version}`)} "User commands"`,
    '.SH NAME',
    `sav \\- ${escaped(program.description())}`,
    '.SH SYNOPSIS',
    '.B sav',
    '.I command',
    '[options]',
    '.SH OPTIONS',
    'Options of every command:',
    ...optionLines(help.visibleOptions(program)),
    '.SH COMMANDS',
    ...leavesOf(program).flatMap((command) => [
      `.SS ${quoted(usageOf(command))}`,
      escaped(command.description()),
      ...argumentLines(command),
      ...optionLines(
        command
          .createHelp()
          .visibleOptions(command)
          .filter(({ long }) => long !== '--help'),
      ),
    ]),
    '.SH ENGLISH NAMES',
    'Options with a French name also have an English one:',
    '.PP',
    escaped(
      [...englishNames(program)]
        .sort()
        .map(([french, english]) => `--${french} (--${english})`)
        .join(', '),
    ),
    '.SH ENVIRONMENT',
    'Settings are environment variables, or variables in ./.env. An option overrides them.',
    '.B sav doctor',
    'shows the value of each setting, and where it was set.',
    '.SH EXIT STATUS',
    ...exitMeanings.flatMap(([code, meaning]) => ['.TP', String(code), meaning]),
    '',
  ].join('\n')
}

const exitMeanings = [
  [exitCodes.done, 'Done.'],
  [exitCodes.failed, 'Failed, or a check found a problem.'],
  [exitCodes.usage, 'Wrong use.'],
  [exitCodes.notFound, 'Not found.'],
  [exitCodes.notAllowed, 'Not allowed.'],
  [exitCodes.unavailable, 'The database or the service is busy or unavailable.'],
  [exitCodes.unfinished, 'Ended before it had finished: a fault of sav itself.'],
  [exitCodes.interrupted, 'Interrupted.'],
] as const

/** Commands with an action, in the order of the help, without commander's own `help` command, which has no parent. */
export function leavesOf(command: Command): Command[] {
  const below = command
    .createHelp()
    .visibleCommands(command)
    .filter(({ parent }) => parent !== null)
  return below.length === 0 ? [command] : below.flatMap(leavesOf)
}

const usageOf = (command: Command): string =>
  [...wordsOf(command), ...command.registeredArguments.map(termOf)].join(' ')

const termOf = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

export const wordsOf = (command: Command): string[] =>
  command.parent === null ? [command.name()] : [...wordsOf(command.parent), command.name()]

const argumentLines = ({ registeredArguments }: Command): string[] =>
  registeredArguments
    .filter(({ description }) => description !== '')
    .flatMap((argument) => ['.TP', `.I ${escaped(termOf(argument))}`, escaped(argument.description)])

const optionLines = (options: readonly { readonly flags: string; readonly description: string }[]): string[] =>
  options.flatMap(({ flags, description }) => [
    '.TP',
    `.B ${escaped(flags)}`,
    ...(description ? [escaped(description)] : []),
  ])

/** Escapes text for a line of its own. Line breaks become spaces, and no part of the text can be a request to troff. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/ {0,9}\n\s*/g, ' ')
    .replace(/^(?=[.'])/, '\\&')

const quoted = (text: string): string => `"${escaped(text).replaceAll('"', '\\(dq')}"`
