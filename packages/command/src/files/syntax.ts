import type { Act } from '../invocation/action.js'
import type { CommandGroup } from '../invocation/command-group.js'
import type { FieldCommand } from '../syntax/field-command.js'

export const fileCommands: CommandGroup = { heading: 'Setting up and upkeep:', place: 3, add: addFileCommands }

function addFileCommands(program: FieldCommand, act: Act): void {
  const files = program.command('files').description('where photos, signatures and reports are stored')
  files
    .declare('move', 'move photos, signatures and reports to another place, and check each one; stop the service first')
    .requiredOption('--from <place>', 'a directory, s3://BUCKET/PREFIX, or `database`')
    .requiredOption('--to <place>', 'a directory, s3://BUCKET/PREFIX, or `database`')
    .note(
      'After an interruption, run the same command again: it continues. The old files are deleted when all of them have arrived. Then set SAV_FILES to the new place.',
    )
    .examples('sav files move --from /srv/sav/files --to s3://photos/sav')
    .action(act(async () => (await import('./move-files.js')).moveFiles))
}
