import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { BackupNote } from '@sav/storage-kysely/backup'
import { usageError } from '../process/command-error.js'
import { stampOf } from '../store/note.js'

export interface Generations {
  /** The path of the next backup. */
  readonly file: string
  /** Renames an existing backup at `file`, so that the new one can take its name. */
  makeWay(): Promise<void>
  /**
   * Removes all but the latest `keep` backups of this store from the directory of `file`. Resolves to the removed
   * names.
   */
  removeOldest(): Promise<string[]>
}

interface BackupTarget {
  readonly cwd: string
  /** The path of a file or a directory. If nothing exists there, a path with an extension such as `.db` is a file. */
  readonly to: string
  /** How many backups are kept, including the new one; undefined to keep all. */
  readonly keep: number | undefined
  readonly note: BackupNote
  /** The file of the live store, which is never removed; null on PostgreSQL. */
  readonly live: string | null
  readonly readNote: (file: string) => BackupNote | null
}

/** @throws CommandError for an existing file that may not be replaced */
export async function generationsOf({ cwd, to, keep, note, live, readNote }: BackupTarget): Promise<Generations> {
  const path = resolve(cwd, to)
  const found = await stat(path).catch(() => null)
  // If nothing exists at a path without an extension, an unmounted disk is more likely than a new file.
  const isDirectory = /[\\/]$/.test(to) || (found === null ? extname(path) === '' : found.isDirectory())
  const file = isDirectory ? join(path, `sav-${stampOf(note)}.db`) : path
  const directory = dirname(file)
  if ((await stat(directory).catch(() => null))?.isDirectory() !== true)
    throw usageError(
      `--to ${to}: there is no directory ${directory}. Make it, or mount what belongs there${extname(path) === '' ? '; a file has an ending such as .db' : ''}.`,
    )
  const isThere = (await stat(file).catch(() => null)) !== null
  const before = isThere ? readNote(file) : null
  if (isThere && keep === undefined)
    throw usageError(
      `--to ${to}: it exists already. Name another file or a directory, or say with --keep how many backups to keep.`,
    )
  if (isThere && (before?.of !== note.of || file === live))
    throw usageError(`--to ${to}: it exists already, and is not a backup of this store. Name another file.`)
  return {
    file,
    async makeWay() {
      if (before === null) return
      const extension = extname(file)
      const stem = basename(file, extension)
      await rename(file, join(directory, `${stem}-${stampOf(before)}${extension}`))
    },
    async removeOldest() {
      if (keep === undefined) return []
      const found: { readonly path: string; readonly at: string }[] = []
      for (const entry of await readdir(directory, { withFileTypes: true })) {
        const path = join(directory, entry.name)
        if (!entry.isFile() || entry.name.startsWith('.') || path === live) continue
        const other = readNote(path)
        if (other?.of === note.of) found.push({ path, at: other.at })
      }
      const oldest = found.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(keep)
      for (const { path } of oldest) await rm(path)
      return oldest.map(({ path }) => path)
    },
  }
}
