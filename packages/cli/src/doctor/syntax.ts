import type { Command } from 'commander'
import type { Act } from '../invocation/action.js'

export function addDoctorCommand(program: Command, act: Act): void {
  program
    .command('doctor')
    .description('examine the installation; exit 1 when something is wrong')
    .option('--backup <file...>', 'is each of them as it was sealed?')
    .action(act(async () => (await import('./doctor.js')).doctor))
}
