import type { Act } from '../invocation/action.js'
import type { FieldCommand } from '../syntax/field-command.js'

export function addFileCommands(program: FieldCommand, act: Act): void {
  const files = program.command('files').description('contents of photos, signatures and reports')
  files
    .declare('move', 'bring them to another place, each one checked; stop the service first')
    .requiredOption('--from <place>', 'a directory, s3://BUCKET/PREFIX, or `database`')
    .requiredOption('--to <place>', 'the same')
    .note(
      'A move that is interrupted goes on when it is run again. What it moved is deleted where it lay when all of it has arrived. Afterwards SAV_FILES names the new place.',
    )
    .examples('sav files move --from /srv/sav/files --to s3://photos/sav')
    .action(act(async () => (await import('./move-files.js')).moveFiles))
}
