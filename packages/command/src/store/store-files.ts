import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError } from '../process/command-error.js'

/** The suffixes of SQLite's files beside an open database: its write-ahead log, and the log's index. */
const companions = ['-wal', '-shm']

/** @throws CommandError if this process may not write to the files of a database, or may not create missing ones */
export function refuseUnwritable(database: string): void {
  for (const file of [database, ...companions.map((suffix) => database + suffix)]) {
    const code = refusalOf(file)
    if (code === 'ENOENT') refuse(dirname(file), refusalOf(dirname(file)))
    else refuse(file, code)
  }
}

/**
 * The system's error code if this process may not read and write a file; otherwise undefined. The check is synchronous
 * because every command makes it, and an asynchronous one would load more of Node.
 */
export function refusalOf(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

function refuse(path: string, code: string | undefined): void {
  if (code === 'EROFS')
    throw new CommandError(
      'read_only',
      `${path} is on a read-only file system, and the store has to be written to: mount it for writing, or point SAV_DATABASE elsewhere.`,
    )
  if (code === 'EACCES' || code === 'EPERM')
    throw new CommandError(
      'not_allowed',
      `This user may not read and write ${path}: run sav as the user that the store belongs to, or give it the permission.`,
    )
}
