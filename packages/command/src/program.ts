import { kindsWith, permissionsOf } from '@sav/core/names'
import { type Command, Help } from 'commander'
import { declared } from './groups.gen.js'
import type { Act, Execute, GlobalOptions, ListOptions } from './invocation/action.js'
import type { CommandFeature } from './invocation/command-feature.js'
import { type CommandGroup, headings } from './invocation/command-group.js'
import type { ProcessIO } from './process/process-io.js'
import type { SettingName } from './settings/declared-settings.js'
import { FieldCommand, withEnglishNames } from './syntax/field-command.js'
import { ofInvocation, reaches } from './syntax/options.js'
import { version } from './version.js'

const last = Number.MAX_SAFE_INTEGER

/** The groups of commands of the core and of all features, in the order of the help. */
const groupsOf = ({ features, commands = [] }: Pick<ProgramParts, 'features' | 'commands'>): readonly GroupOf[] =>
  [
    ...[...Object.values(declared), ...commands].map((group) => ({ ...group, feature: null })),
    ...features.flatMap(({ name, commands = [] }) => commands.map((group) => ({ ...group, feature: name }))),
  ].toSorted(
    (a, b) => headings.indexOf(a.heading) - headings.indexOf(b.heading) || (a.place ?? last) - (b.place ?? last),
  )

/** A group, and the feature that it belongs to; null for the core. */
type GroupOf = CommandGroup & { readonly feature: string | null }

/** Options that override settings: `ofAll` of every command, `ofService` of commands that can call a service. */
const ofAll = { database: 'SAV_DATABASE', schema: 'SAV_SCHEMA', prefix: 'SAV_PREFIX', profile: 'SAV_PROFILE' } as const
const ofService = { url: 'SAV_URL' } as const

/** The full name of a command, such as `sav cases create`. */
const wordsOf = (command: Command): string =>
  command.parent === null ? command.name() : `${wordsOf(command.parent)} ${command.name()}`

/** The first word that is neither a global option nor its value. */
function calledBy(argv: readonly string[], { options }: Command): string | undefined {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    if (!word.startsWith('-')) return word
    if (options.some((option) => option.required && option.long === word)) at += 1
  }
  return undefined
}

/** The parts from which a program is created. */
export interface ProgramParts {
  readonly io: ProcessIO
  readonly execute: Execute
  readonly features: readonly CommandFeature[]
  readonly commands?: readonly CommandGroup[]
  readonly argv?: readonly string[]
}

/**
 * The syntax of `sav`. If `argv` names a command, groups after its group are not declared, since declaring everything
 * takes 15 ms. Parse errors are thrown as CommanderError.
 */
export function createProgram({ io, execute, argv = [], ...parts }: ProgramParts): Command {
  const program = new FieldCommand('sav')
    .description('After-sales cases, their evidence and their webhooks.')
    .version(version, '--version', 'print the version')
    .option('--json', 'print JSON: an array for lists, an object for single things')
    .option('--account <name>', 'the account to work in (default: default)')
    .option('--database <url>', 'the store, as sqlite:PATH or postgres://… (SAV_DATABASE)')
    .option('--schema <name>', 'the PostgreSQL schema of the store; a schema has at most one store (SAV_SCHEMA)')
    .option('--prefix <name>', "the prefix of the store's tables, on SQLite (SAV_PREFIX)")
    .option('--env-file <file>', 'the file with the settings (default: ./.env, else /etc/sav/sav.env)')
    .option('--no-env-file', 'read no file with settings')
    .option('--no-color', 'no colours, even at a terminal (NO_COLOR)')
    .option('--profile <name>', 'use the service that `sav login` saved under this name, not the store (SAV_PROFILE)')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      subcommandDescription: (command) =>
        new Help().subcommandDescription(command).replace(/^display help for command$/, 'show the help of a command'),
      optionDescription: (option) =>
        `${new Help().optionDescription(option)}${option.mandatory ? ' (required)' : ''}`.trimStart(),
    })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // `run` prints these errors, like every other one.
      outputError: () => {},
      getOutHelpWidth: () => ('columns' in io.stdout && Number(io.stdout.columns)) || 100,
    })
    .exitOverride()

  const actOf =
    (feature: string | null): Act =>
    (load, overrides = {}) =>
      async function (this: Command, ...args) {
        const action = await load()
        const options = this.optsWithGlobals<GlobalOptions & ListOptions & Record<string, string>>()
        const settings: Readonly<Record<string, SettingName>> = {
          ...ofAll,
          ...(reaches(this) && ofService),
          ...overrides,
        }
        const flags = Object.entries(settings).map(([option, name]) => ({
          name,
          flag: `--${option.replaceAll('_', '-')}`,
          value: options[option],
        }))
        // These options choose the service and the form of the output. The action must not send them as fields.
        for (const option of ofInvocation(this)) delete this.opts()[option]
        await execute({
          action: (context) => action(context, ...args),
          options,
          flags,
          command: wordsOf(this),
          feature,
        })
      }

  const called = calledBy(argv, program)
  const groups = groupsOf(parts)
  const kinds = kindsWith(parts.features.flatMap(({ events = [] }) => events))
  const offered = { permissions: permissionsOf(parts.features), kinds }
  for (const { heading, add, feature } of groups) {
    add(program.commandsGroup(heading), actOf(feature), offered)
    if (program.commands.some((command) => command.name() === called)) break
  }
  for (const { addWithin, feature } of groups) addWithin?.(program, actOf(feature))
  withEnglishNames(program)
  program
    .examples(
      'sav init',
      'sav keys create --name site --permissions sav:read,sav:write',
      'sav webhooks add https://example.com/hooks --events sav.created,sav.closed',
      'sav serve',
      'sav cases create --help',
    )
    .note(
      'Settings are environment variables, or variables in one file: that of --env-file, else ./.env, else /etc/sav/sav.env. sav doctor shows each setting and where it was set.',
    )
  return program
}
