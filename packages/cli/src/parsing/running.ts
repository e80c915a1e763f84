import type { Command } from 'commander'
import type { Act } from '../action.js'
import { examples, paragraph } from './values.js'

/** Commands that make, run and examine an installation. */
export function addRunningCommands(program: Command, act: Act): void {
  program.commandsGroup('Running:')

  program
    .command('init')
    .description('make the store, its secret key and the account `default`; safe to run again')
    .action(act(async () => (await import('../commands/init.js')).init))

  program
    .command('migrate')
    .description('bring the store to the schema of this version')
    .action(act(async () => (await import('../commands/migrate.js')).migrate))

  program
    .command('serve')
    .description('run the API and deliver webhooks, until SIGTERM or Ctrl-C')
    .option('--port <port>', 'port to listen on; 0 picks a free one (SAV_PORT)')
    .option('--host <host>', 'address to listen on (SAV_HOST)')
    .option('--no-worker', 'leave the deliveries to a `sav worker`')
    .addHelpText(
      'after',
      paragraph(
        'Makes the store where there is none, prints `listening on URL` when it is ready, and logs JSON lines on standard error. Settings: sav doctor.',
      ),
    )
    .action(act(async () => (await import('../commands/serve.js')).serve, { port: 'SAV_PORT', host: 'SAV_HOST' }))

  program
    .command('worker')
    .description('deliver webhooks only, until SIGTERM or Ctrl-C')
    .action(act(async () => (await import('../commands/worker.js')).worker))

  program
    .command('purge')
    .description(
      'delete what was kept long enough: webhooks delivered 30 days ago or failed 90 days ago, audit of 13 months ago',
    )
    .option('--dry-run', 'only count it')
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('../commands/purge.js')).purge))

  program
    .command('copy')
    .description(
      'bring a whole store into an empty database, from SQLite to PostgreSQL or back; stop the service first',
    )
    .requiredOption('--from <url>', 'sqlite:PATH or postgres://…')
    .requiredOption('--to <url>', 'the same, empty')
    .addHelpText(
      'after',
      paragraph(
        'A copy that is interrupted goes on when it is run again. Every table is compared at the end, and the chain of evidence recomputed; until then no command uses the target.',
      ),
    )
    .addHelpText('after', examples(['sav copy --from sqlite:./sav-data/sav.db --to postgres://sav:…@db.example/sav']))
    .action(act(async () => (await import('../commands/copy.js')).copy))

  program
    .command('secret-key')
    .description('the key that seals webhook secrets')
    .command('rotate')
    .description('make a new key and seal everything with it, while the service runs')
    .action(act(async () => (await import('../commands/secret-key.js')).rotateKey))

  program
    .command('demo')
    .description(
      'fill the store with something to try: clients, poseurs, cases, a key and a webhook; safe to run again',
    )
    .requiredOption('--receiver <url>', 'where the demo webhook goes')
    .action(act(async () => (await import('../commands/demo.js')).demo))

  program
    .command('doctor')
    .description('examine the installation; exit 1 when something is wrong')
    .action(act(async () => (await import('../commands/doctor.js')).doctor))
}
