import type { Command } from 'commander'
import type { Act } from '../action.js'

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
    .action(act(async () => (await import('../commands/serve.js')).serve, { port: 'SAV_PORT', host: 'SAV_HOST' }))

  program
    .command('worker')
    .description('deliver webhooks only, until SIGTERM or Ctrl-C')
    .action(act(async () => (await import('../commands/worker.js')).worker))

  program
    .command('purge')
    .description('delete what was kept long enough: webhooks delivered 30 days ago, or failed 90 days ago')
    .option('--dry-run', 'only count it')
    .option('--yes', 'do not ask')
    .action(act(async () => (await import('../commands/purge.js')).purge))

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
