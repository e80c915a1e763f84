import type { Act } from '../invocation/action.js'
import type { CommandGroup } from '../invocation/command-group.js'
import type { FieldCommand } from '../syntax/field-command.js'
import { schemaName } from '../syntax/values.js'

/** Commands that create a store and bring it up to date. */
export const installationCommands: CommandGroup = {
  heading: 'Setting up and upkeep:',
  place: 1,
  add: addInstallationCommands,
}

function addInstallationCommands(program: FieldCommand, act: Act): void {
  program
    .declare('init', 'make the store, its secret key and the account `default`; safe to run again')
    .option('--yes', 'ask no questions, even at a terminal')
    .action(act(async () => (await import('./init.js')).init))

  program
    .declare('migrate', 'update the schema of the store to this version; a SQLite store is copied first')
    .option('--dry-run', 'only list what would run')
    .action(act(async () => (await import('./migrate.js')).migrate))
}

/** Commands that work on an existing store. */
export const upkeepCommands: CommandGroup = { heading: 'Setting up and upkeep:', place: 2, add: addUpkeepCommands }

function addUpkeepCommands(program: FieldCommand, act: Act): void {
  program
    .declare(
      'purge',
      'delete old rows: webhooks and letters delivered more than 30 days ago or failed more than 90 days ago, and audit of more than 13 months ago',
    )
    .option('--dry-run', 'only count the rows')
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('./purge.js')).purge))

  program
    .declare(
      'copy',
      'copy a whole store into an empty database, between SQLite files and PostgreSQL servers; stop the service first',
    )
    .requiredOption('--from <url>', 'sqlite:PATH or postgres://…')
    .option('--from-schema <name>', 'the schema of the source, if it was created with --schema', schemaName)
    .requiredOption('--to <url>', 'sqlite:PATH or postgres://…, without a store')
    .option('--to-schema <name>', 'the schema to create in the target', schemaName)
    .note(
      'After an interruption, run the same command again: it continues. At the end every table is compared, and the chain of evidence is recomputed. Until the copy is complete, no command works on the new store.',
    )
    .examples(
      'sav copy --from sqlite:./sav-data/sav.db --to postgres://sav:…@db.example/sav',
      'sav copy --from postgres://sav:…@db.example/sav --to postgres://sav:…@db2.example/sav --to-schema petit',
    )
    .action(act(async () => (await import('./copy.js')).copy))

  const secretKey = program.command('secret-key').description('the key that seals webhook secrets')
  secretKey
    .declare('rotate', 'make a new key and seal everything with it, while the service runs')
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('./rotate-key.js')).rotateKey))
  secretKey
    .declare('replace', 'make a new key if the old one is lost; stop the service first')
    .option(
      '--forget-webhook-secrets',
      'give every endpoint a new signing secret and no headers, and disable it until its receiver has the secret',
    )
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('./replace-key.js')).replaceKey))
}
