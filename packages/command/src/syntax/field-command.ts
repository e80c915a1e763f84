import { Command, Help, Option } from 'commander'
import { commaList, pathName } from './values.js'

/**
 * An option named after its API field: `--code-postal` is `code_postal`. If declared with two names, French then
 * English, it accepts both; help and completion show the French one.
 */
export class FieldOption extends Option {
  /** Its English name, without dashes and `no-`; null: it has only one name. */
  readonly english: string | null

  /** The possible parts of its comma-separated value, for completion; the core checks the value. */
  parts: readonly string[] = []

  constructor(flags: string, description?: string) {
    super(flags.replace(/^(--[\w-]+), --[\w-]+/, '$1'), description)
    this.english = /^--[\w-]+, --(?:no-)?([\w-]+)/.exec(flags)?.[1] ?? null
    if (/<(file|directory)>$/.test(flags)) this.argParser(pathName)
  }

  /** Its name without dashes and `no-`. */
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

/** A command with such options, and its subcommands too. */
export class FieldCommand extends Command {
  override createCommand(name?: string): FieldCommand {
    return new FieldCommand(name)
  }

  override createOption(flags: string, description?: string): FieldOption {
    return new FieldOption(flags, description)
  }

  /** A subcommand. */
  declare(words: string, description: string): FieldCommand {
    return this.command(words).description(description)
  }

  /** Lines to copy, below its help. */
  examples(...lines: string[]): this {
    return this.addHelpText('after', ({ command }) => {
      const width = command.configureOutput().getOutHelpWidth?.() ?? 80
      return `\nExamples:\n${lines.map((line) => `  ${withinWidth(line, width - 2)}`).join('\n')}`
    })
  }

  /** Text below its help, wrapped like the rest. */
  note(text: string): this {
    return this.addHelpText(
      'after',
      ({ command }) => `\n${new Help().boxWrap(text, command.configureOutput().getOutHelpWidth?.() ?? 80)}`,
    )
  }
}

/** Breaks a long command over several lines, which a shell reads as one: before options and `&& (`. */
function withinWidth(line: string, width: number): string {
  const lines: string[] = []
  for (const part of line.split(/ (?=--|&& \()/)) {
    const longer = lines.length === 0 ? part : `${lines.at(-1)} ${part}`
    // Each line but the last ends with ` \`.
    if (lines.length === 0 || longer.length > width - 2) lines.push(lines.length === 0 ? part : `  ${part}`)
    else lines[lines.length - 1] = longer
  }
  return lines.join(' \\\n  ')
}

/** The English name of an option, which fills the same field. */
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

/** Lets all subcommands accept the English names too. */
export function withEnglishNames(command: Command): void {
  for (const option of twoNamed(command)) command.addOption(new EnglishOption(option))
  for (const each of command.commands) withEnglishNames(each)
}

/** The English name of each French option, of all subcommands. */
export function englishNames(command: Command): Map<string, string> {
  return new Map([
    ...twoNamed(command).map(({ bare, english }) => [bare, english] as const),
    ...command.commands.flatMap((each) => [...englishNames(each)]),
  ])
}

/** Replaces French option names in a message by the English ones that were typed. */
export function asTyped(message: string, command: Command, argv: readonly string[]): string {
  const typed = new Set(argv.map((word) => word.replace(/=.*/s, '').replace(/^--no-/, '--')))
  return twoNamed(command)
    .filter(({ bare, english }) => typed.has(`--${english}`) && !typed.has(`--${bare}`))
    .reduce(
      (said, { bare, english }) => said.replaceAll(new RegExp(`--(no-)?${bare}(?![\\w-])`, 'g'), `--$1${english}`),
      message,
    )
}
