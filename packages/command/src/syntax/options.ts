import type { Command } from 'commander'
import { usageError } from '../process/command-error.js'
import { FieldCommand, FieldOption } from './field-command.js'
import { commaList, integer } from './values.js'

export const pageSize = new FieldOption('--limite, --limit <n>', 'page size, 1 to 200').argParser(integer)
export const pageNumber = new FieldOption('--page <n>', 'page number').argParser(integer)

/** Reads all pages of a list. */
export const everyPage = new FieldOption('--all', 'every page, shown as it arrives').conflicts([
  'page',
  'limite',
  'watch',
])
/** Reads all of a list, newest first. */
export const everyOlder = new FieldOption('--all', 'every page, shown as it arrives').conflicts(['limit', 'follow'])

const serviceUrl = new FieldOption('--url <url>', 'work on this running service, not on the store (SAV_URL)')

/** A command on the store, or on the given service. */
export const reaching = (group: FieldCommand, words: string, description: string): FieldCommand =>
  group.declare(words, description).addOption(serviceUrl)

/** A declared group, to add commands to; undefined: the command of this run needs no such group. */
export const within = (program: FieldCommand, name: string): FieldCommand | undefined =>
  program.commands.find(
    (command): command is FieldCommand => command instanceof FieldCommand && command.name() === name,
  )

const wide = new FieldOption('--wide', 'show every column, however long the lines get')
const fields = new FieldOption(
  '--fields <list>',
  'only these fields, by their names in JSON; also with --json',
).argParser(commaList)

/** A command that lists rows, with the fields of their JSON. */
export const listing = (command: FieldCommand): FieldCommand => command.addOption(wide).addOption(fields)

/** A command that shows another table. */
export const widened = (command: FieldCommand): FieldCommand => command.addOption(wide)

/** Options that the action does not read. */
export const ofInvocation = ({ options }: Command): string[] =>
  [serviceUrl, wide, fields].filter((option) => options.includes(option)).map((option) => option.attributeName())

/** Reads every account of the store. */
export const everyAccount = (): FieldOption =>
  new FieldOption('--all-accounts', 'of every account of the store, each with its account')

/** Whether a command takes `--url`. */
export const reaches = ({ options }: Command): boolean => options.some((option) => option === serviceUrl)

/** A command that changes the fields of its options: at least one is required. */
export const changing = (command: FieldCommand): FieldCommand =>
  command.hook('preAction', (_, called) => {
    const others = ofInvocation(called)
    const fields = called.options.filter((option) => !others.includes(option.attributeName()))
    if (fields.some((option) => called.getOptionValueSource(option.attributeName()) === 'cli')) return
    const flags = fields.flatMap(({ long, hidden, negate }) => (long == null || hidden || negate ? [] : [long]))
    throw usageError(`Say what to change: ${flags.join(', ')}.`)
  })
