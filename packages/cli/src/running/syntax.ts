import type { Command } from 'commander'
import type { Act } from '../invocation/action.js'
import { paragraph } from '../syntax/help-text.js'
import { reaching } from '../syntax/options.js'

/** Commands that run until they are stopped. */
export function addRunningCommands(program: Command, act: Act): void {
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
    .action(act(async () => (await import('./serve.js')).serve, { port: 'SAV_PORT', host: 'SAV_HOST' }))

  reaching(program.command('top'))
    .description('what a running service does right now, until Ctrl-C; it serves its metrics (SAV_METRICS)')
    .option('--metrics <url>', 'where they are (default: the address of SAV_METRICS)')
    .action(act(async () => (await import('./top.js')).top))

  program
    .command('worker')
    .description('deliver webhooks only, until SIGTERM or Ctrl-C')
    .action(act(async () => (await import('./serve.js')).worker))
}

export function addDoctorCommand(program: Command, act: Act): void {
  program
    .command('doctor')
    .description('examine the installation; exit 1 when something is wrong')
    .option('--backup <file...>', 'is each of them as it was sealed?')
    .action(act(async () => (await import('../doctor/doctor.js')).doctor))
}
