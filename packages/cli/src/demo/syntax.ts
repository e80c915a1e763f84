import type { Act, CommandGroup, FieldCommand } from '@sav/command/feature'

/** The command `sav demo`, which adds invented data. */
export const demoCommands: CommandGroup = { heading: 'Setting up and upkeep:', place: 3, add: addDemo }

function addDemo(program: FieldCommand, act: Act): void {
  program
    .declare(
      'demo',
      'add invented data to the store, to try things: clients, poseurs, cases, a day in the field and a key; safe to run again',
    )
    .option('--receiver <url>', 'add a webhook endpoint with this address (default: none)')
    .option('--yes', 'do not ask before adding to a store that has cases')
    .action(act(async () => (await import('./demo.js')).demo))
}
