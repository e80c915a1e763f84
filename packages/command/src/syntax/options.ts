import type { Command } from 'commander'
import { usageError } from '../process/command-error.js'
import { FieldCommand, FieldOption } from './field-command.js'
import { commaList, integer } from './values.js'

export const pageSize = new FieldOption('--limite, --limit <n>', 'page size, 1 to 200').argParser(integer)
export const pageNumber = new FieldOption('--page <n>', 'page number').argParser(integer)

/** The option `--all` of a list with pages. */
export const everyPage = new FieldOption('--all', 'every page, shown as it arrives').conflicts([
  'page',
  'limite',
  'watch',
])
/** The option `--all` of a list without pages, which shows the newest first. */
export const everyOlder = new FieldOption('--all', 'every page, shown as it arrives').conflicts(['limit', 'follow'])

const serviceUrl = new FieldOption('--url <url>', 'work on this running service, not on the store (SAV_URL)')

/** Declares a command that can work on the store or, with `--url`, on a service. */
export const reaching = (group: FieldCommand, words: string, description: string): FieldCommand =>
  group.declare(words, description).addOption(serviceUrl)

/**
 * A declared group, to which a feature adds commands. Undefined if the group was not declared because this run does not
 * need it.
 */
export const within = (program: FieldCommand, name: string): FieldCommand | undefined =>
  program.commands.find(
    (command): command is FieldCommand => command instanceof FieldCommand && command.name() === name,
  )

const wide = new FieldOption('--wide', 'show every column, however long the lines get')
const fields = new FieldOption(
  '--fields <list>',
  'only these fields, by their names in JSON; also with --json',
).argParser(commaList)

/** Adds the options of a list: `--wide` and `--fields`. */
export const listing = (command: FieldCommand): FieldCommand => command.addOption(wide).addOption(fields)

/** Adds the option of any other table: `--wide`. */
export const widened = (command: FieldCommand): FieldCommand => command.addOption(wide)

/** The options of a command that its action does not read. */
export const ofInvocation = ({ options }: Command): string[] =>
  [serviceUrl, wide, fields].filter((option) => options.includes(option)).map((option) => option.attributeName())

/** The option `--all-accounts`. */
export const everyAccount = (): FieldOption =>
  new FieldOption('--all-accounts', 'include every account of the store, and show which account each row is from')

/** Whether a command takes `--url`. */
export const reaches = ({ options }: Command): boolean => options.some((option) => option === serviceUrl)

/** Makes a command that changes fields refuse a call in which no option for a field is given. */
export const changing = (command: FieldCommand): FieldCommand =>
  command.hook('preAction', (_, called) => {
    const others = ofInvocation(called)
    const fields = called.options.filter((option) => !others.includes(option.attributeName()))
    if (fields.some((option) => called.getOptionValueSource(option.attributeName()) === 'cli')) return
    const flags = fields.flatMap(({ long, hidden, negate }) => (long == null || hidden || negate ? [] : [long]))
    throw usageError(`Say what to change: ${flags.join(', ')}.`)
  })
