import type { Act } from '../invocation/action.js'
import { type FieldCommand, FieldOption } from '../syntax/field-command.js'
import { positive } from '../syntax/values.js'

/** Backup and restore of a whole store. */
export function addBackupCommands(program: FieldCommand, act: Act): void {
  program
    .declare('backup', 'write the whole store into one file, while the service runs; exit 1 when it is not whole')
    .requiredOption('--to <file>', 'a file, or a directory: the name then has the date')
    .addOption(
      new FieldOption('--keep <n>', 'how many backups of this store stay there, the new one included').argParser(
        positive,
      ),
    )
    .note(
      'The file appears when it is whole: its rows are compared, the files of SAV_FILES are included, and the chain of evidence of every account is recomputed. It is sealed with the secret key, which is not in it.',
    )
    .examples('sav backup --to /backup/ --keep 14', 'sav backup --to before-the-move.db')
    .action(act(async () => (await import('./backup.js')).backup))

  program
    .declare('restore <file>', 'make a store from a backup, where there is none yet')
    .option('--to <url>', 'an empty store, sqlite:PATH or postgres://… (default: SAV_DATABASE)')
    .option(
      '--erasures <file>',
      'a list, or the URL of a store: erase again the clients that were erased since the backup',
    )
    .option('--unsealed', 'take only the rows of a file that has no seal, or a wrong one')
    .note(
      'A backup is sealed with the secret key. A file that was changed since is refused, and so is one that another key has sealed. sav clients erasures --json prints the list of erasures.',
    )
    .examples(
      'sav restore /backup/sav-2026-01-15T02-00-00-000Z.db --to sqlite:./sav-data/sav.db --erasures erasures.json',
      'sav restore /backup/sav-2026-01-15T02-00-00-000Z.db --to postgres://sav:…@db.example/sav',
    )
    .action(act(async () => (await import('./restore.js')).restore))
}
