import { Command, Help } from 'commander'
import type { Act, Execute } from './action.js'
import { addAccessCommands } from './parsing/access.js'
import { addCaseCommands } from './parsing/cases.js'
import { addDirectoryCommands } from './parsing/directory.js'
import { addRunningCommands } from './parsing/running.js'
import { examples, paragraph } from './parsing/values.js'
import { addWebhookCommands } from './parsing/webhooks.js'
import { version } from './version.js'
import type { GlobalOptions, World } from './world.js'

/** The whole syntax of `sav`. Errors of parsing are thrown as CommanderError. */
export function createProgram(world: World, execute: Execute): Command {
  const program = new Command('sav')
    .description('After-sales cases, their evidence and their webhooks.')
    .version(version(), '--version')
    .option('--json', 'print JSON: an array for lists, an object for single things')
    .option('--account <name>', 'the account to work in', 'default')
    .option('--database <url>', 'the store, as sqlite:PATH or postgres://… (SAV_DATABASE)')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({
      showGlobalOptions: true,
      optionDescription: (option) =>
        `${new Help().optionDescription(option)}${option.mandatory ? ' (required)' : ''}`.trimStart(),
    })
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      // Mistakes are told at one place, with everything else that goes wrong.
      outputError: () => {},
      getOutHelpWidth: () => ('columns' in world.stdout && Number(world.stdout.columns)) || 100,
    })
    .exitOverride()

  const act: Act = (load, overrides = {}) =>
    async function (this: Command, ...args) {
      const action = await load()
      const options = this.optsWithGlobals<GlobalOptions & Record<string, string>>()
      const flags = Object.entries({ database: 'SAV_DATABASE', ...overrides } as const).map(([option, name]) => ({
        name,
        flag: `--${option}`,
        value: options[option],
      }))
      await execute({ action: (context) => action(context, ...args), options, flags })
    }

  addRunningCommands(program, act)
  addAccessCommands(program, act)
  addDirectoryCommands(program, act)
  addCaseCommands(program, act)
  addWebhookCommands(program, act)
  program
    .addHelpText(
      'after',
      examples([
        'sav init',
        'sav keys create --name site --permissions sav:read,sav:write',
        'sav webhooks add https://example.com/hooks --events sav.created,sav.closed',
        'sav serve',
        'sav cases create --help',
      ]),
    )
    .addHelpText(
      'after',
      paragraph(
        'Settings are variables of the environment or of ./.env: sav doctor shows each one and where it comes from.',
      ),
    )
  return program
}
