import { Command, Help, Option } from 'commander'
import { commaList, pathName } from './values.js'

/**
 * An option named after its API field: `--code-postal` fills `code_postal`. An option that is declared with two names,
 * first the French then the English one, accepts both. Help and completion show the French name.
 */
export class FieldOption extends Option {
  /** The option's English name, without dashes and `no-`; null if it has only one name. */
  readonly english: string | null

  /** The possible parts of a comma-separated value, for completion. The core checks the value. */
  parts: readonly string[] = []

  constructor(flags: string, description?: string) {
    super(flags.replace(/^(--[\w-]+), --[\w-]+/, '$1'), description)
    this.english = /^--[\w-]+, --(?:no-)?([\w-]+)/.exec(flags)?.[1] ?? null
    if (/<(file|directory)>$/.test(flags)) this.argParser(pathName)
  }

  /** The option's name without dashes and `no-`. */
  get bare(): string {
    return this.negate ? this.name().replace(/^no-/, '') : this.name()
  }

  override attributeName(): string {
    return this.bare.replaceAll('-', '_')
  }

  /** Declares that the value is a list such as `a,b`. */
  listOf(parts: readonly string[]): this {
    this.parts = parts
    return this.argParser(commaList)
  }
}

/** A command whose options are `FieldOption`s. So are those of its subcommands. */
export class FieldCommand extends Command {
  override createCommand(name?: string): FieldCommand {
    return new FieldCommand(name)
  }

  override createOption(flags: string, description?: string): FieldOption {
    return new FieldOption(flags, description)
  }

  /** Adds a subcommand. */
  declare(words: string, description: string): FieldCommand {
    return this.command(words).description(description)
  }

  /** Adds command lines below the command's help, to be copied. */
  examples(...lines: string[]): this {
    return this.addHelpText('after', ({ command }) => {
      const width = command.configureOutput().getOutHelpWidth?.() ?? 80
      return `\nExamples:\n${lines.map((line) => `  ${withinWidth(line, width - 2)}`).join('\n')}`
    })
  }

  /** Adds text below the command's help, wrapped like the rest. */
  note(text: string): this {
    return this.addHelpText(
      'after',
      ({ command }) => `\n${new Help().boxWrap(text, command.configureOutput().getOutHelpWidth?.() ?? 80)}`,
    )
  }
}

/** Breaks a long command line before options and before `&& (`. A shell reads the lines as one command. */
function withinWidth(line: string, width: number): string {
  const lines: string[] = []
  for (const part of line.split(/ (?=--|&& \()/)) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)} ${part}`
    // Two columns are kept free for the ` \` at the end of each line but the last.
    if (lines.length === 0 || longer.length > width - 2) lines.push(lines.length === 0 ? part : `  ${part}`)
    else lines[lines.length - 1] = longer
  }
  return lines.join(' \\\n  ')
}

/** An option with the English name of another one. It fills the same field. */
class EnglishOption extends Option {
  readonly #option: FieldOption
  readonly parts: readonly string[]

  constructor(option: FieldOption) {
    super(option.flags.replace(/^--(no-)?[\w-]+/, `--$1${option.english}`))
    this.#option = option
    this.hidden = true
    this.parts = option.parts
    Object.assign(this, { argChoices: option.argChoices, parseArg: option.parseArg })
  }

  override attributeName(): string {
    return this.#option.attributeName()
  }
}

type BilingualOption = FieldOption & { readonly english: string }

const twoNamed = ({ options }: Command): BilingualOption[] =>
  options.filter((option): option is BilingualOption => option instanceof FieldOption && option.english !== null)

/** Lets a command and all its subcommands accept the English names of their options too. */
export function withEnglishNames(command: Command): void {
  for (const option of twoNamed(command)) command.addOption(new EnglishOption(option))
  for (const each of command.commands) withEnglishNames(each)
}

/** The English name of each option with a French name, for a command and all its subcommands. */
export function englishNames(command: Command): Map<string, string> {
  return new Map([
    ...twoNamed(command).map(({ bare, english }) => [bare, english] as const),
    ...command.commands.flatMap((each) => [...englishNames(each)]),
  ])
}

/** Replaces the French names of options in a message by the English ones, if the user typed those. */
export function asTyped(message: string, command: Command, argv: readonly string[]): string {
  const typed = new Set(argv.map((word) => word.replace(/=.*/s, '').replace(/^--no-/, '--')))
  return twoNamed(command)
    .filter(({ bare, english }) => typed.has(`--${english}`) && !typed.has(`--${bare}`))
    .reduce(
      (said, { bare, english }) => said.replaceAll(new RegExp(`--(no-)?${bare}(?![\\w-])`, 'g'), `--$1${english}`),
      message,
    )
}
