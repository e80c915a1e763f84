import type { Command } from 'commander'
import type { Act } from '../invocation/action.js'
import { examples, paragraph } from '../syntax/help-text.js'

export function addFileCommands(program: Command, act: Act): void {
  const files = program.command('files').description('contents of photos, signatures and reports')
  files
    .command('move')
    .description('bring them to another place, each one checked; stop the service first')
    .requiredOption('--from <place>', 'a directory, s3://BUCKET/PREFIX, or `database`')
    .requiredOption('--to <place>', 'the same')
    .addHelpText(
      'after',
      paragraph(
        'A move that is interrupted goes on when it is run again. What it moved is deleted where it lay when all of it has arrived. Afterwards SAV_FILES names the new place.',
      ),
    )
    .addHelpText('after', examples(['sav files move --from /srv/sav/files --to s3://photos/sav']))
    .action(act(async () => (await import('./move-files.js')).moveFiles))
}
