import type { Act } from '../invocation/action.js'
import type { CommandGroup } from '../invocation/command-group.js'
import type { FieldCommand } from '../syntax/field-command.js'
import { reaching, widened } from '../syntax/options.js'

/** Commands that run until they are stopped. */
export const runningCommands: CommandGroup = { heading: 'Running:', place: 2, add: addRunningCommands }

function addRunningCommands(program: FieldCommand, act: Act): void {
  program
    .declare('serve', 'run the API and deliver webhooks, until SIGTERM or Ctrl-C')
    .option('--port <port>', 'port to listen on; 0 picks a free one (SAV_PORT)')
    .option('--host <host>', 'address to listen on (SAV_HOST)')
    .option('--no-worker', 'leave the deliveries to a `sav worker`')
    .option('--no-init', 'do not create a missing store or key')
    .note(
      'It creates a missing store and its key. It prints `listening on URL` when it is ready, and logs lines of JSON on standard error. sav doctor shows the settings.',
    )
    .action(act(async () => (await import('./serve.js')).serve, { port: 'SAV_PORT', host: 'SAV_HOST' }))

  reaching(program, 'top', 'show what a running service does, until Ctrl-C; the service needs SAV_METRICS')
    .option('--metrics <url>', 'address of the metrics (default: that of SAV_METRICS)')
    .action(act(async () => (await import('./top.js')).top))

  program
    .declare('worker', 'deliver webhooks only, until SIGTERM or Ctrl-C')
    .action(act(async () => (await import('./serve.js')).worker))
}

export const doctorCommands: CommandGroup = { heading: 'Running:', place: 1, add: addDoctorCommand }

function addDoctorCommand(program: FieldCommand, act: Act): void {
  widened(program.declare('doctor', 'examine the installation; exit 1 when something is wrong'))
    .option('--backup <file...>', 'also check the seals of these backups')
    .action(act(async () => (await import('../doctor/doctor.js')).doctor))
}
