import type { Act } from '../invocation/action.js'
import type { FieldCommand } from '../syntax/field-command.js'

export function addFileCommands(program: FieldCommand, act: Act): void {
  const files = program.command('files').description('contents of photos, signatures and reports')
  files
    .declare('move', 'move them to another place and check each one; stop the service first')
    .requiredOption('--from <place>', 'a directory, s3://BUCKET/PREFIX, or `database`')
    .requiredOption('--to <place>', 'the same')
    .note(
      'Run an interrupted move again: it goes on. The old files are deleted when all of them have arrived. Then set SAV_FILES to the new place.',
    )
    .examples('sav files move --from /srv/sav/files --to s3://photos/sav')
    .action(act(async () => (await import('./move-files.js')).moveFiles))
}
