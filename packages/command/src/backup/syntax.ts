import type { Act } from '../invocation/action.js'
import type { CommandGroup } from '../invocation/command-group.js'
import { type FieldCommand, FieldOption } from '../syntax/field-command.js'
import { positive } from '../syntax/values.js'

/** Backup and restore of a whole store. */
export const backupCommands: CommandGroup = { heading: 'Running:', place: 3, add: addBackupCommands }

function addBackupCommands(program: FieldCommand, act: Act): void {
  program
    .declare('backup', 'write the whole store into one file, while the service runs; exit 1 if the file is incomplete')
    .requiredOption('--to <file>', 'a file; or a directory, in which the backup is named after the date')
    .addOption(
      new FieldOption('--keep <n>', 'how many backups of this store to keep there, the new one included').argParser(
        positive,
      ),
    )
    .note(
      'The file appears when it is complete: its rows are compared, the files of SAV_FILES are included, and the chain of evidence of every account is recomputed. It is sealed with the secret key, but does not contain the key.',
    )
    .examples('sav backup --to /backup/ --keep 14', 'sav backup --to before-the-move.db')
    .action(act(async () => (await import('./backup.js')).backup))

  program
    .declare('restore <file>', 'make a store from a backup, if there is none yet')
    .option('--to <url>', 'an empty store, sqlite:PATH or postgres://… (default: SAV_DATABASE)')
    .option(
      '--erasures <file>',
      'erase again the clients of this list (sav clients erasures --json), or of the store at this URL',
    )
    .option('--unsealed', 'restore only the rows, unchecked, of a file without a valid seal')
    .note(
      'A backup is sealed with the secret key. A file that was changed afterwards is refused. So is one that was sealed with another key.',
    )
    .examples(
      'sav restore /backup/sav.db --to sqlite:./sav-data/sav.db --erasures erasures.json',
      'sav restore /backup/sav.db --to postgres://sav:…@db.example/sav',
    )
    .action(act(async () => (await import('./restore.js')).restore))
}
