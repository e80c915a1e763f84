import { randomBytes } from 'node:crypto'
import { link, lstat, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { usageError } from './command-error.js'

const unfinishedName = /^\..+\.[0-9a-f]{12}\.unfinished/

/** The suffixes of an abandoned file, of the files that SQLite may leave beside it, and of its writer's lock. */
const companions = ['', '-journal', '-wal', '-shm', '-lock']

/**
 * Lets `work` write a file of another name beside `file`, readable only by its owner. The complete file is synced to
 * disk and renamed; if anything fails, it is removed.
 */
export async function writeWhole<T>(
  file: string,
  work: (unfinished: string) => Promise<T>,
  takeName: (unfinished: string, file: string) => Promise<void> = rename,
): Promise<T> {
  return inUnfinishedFile(file, async (unfinished) => {
    const result = await work(unfinished)
    await sync(unfinished)
    await takeName(unfinished, file)
    await sync(dirname(file))
    return result
  })
}

/** The error codes of file systems that have no hard links. */
const cannotLink = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'])

/**
 * Renames a file, but never replaces an existing one.
 * @throws the system's EEXIST if `file` exists
 */
export async function takeFreeName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && cannotLink.has(String(error.code)))) throw error
    await rename(unfinished, file)
  }
}

/**
 * Lets `work` use an empty file of another name beside `file`, readable only by its owner and removed afterwards. Files
 * left there by killed processes are removed first.
 */
export async function inUnfinishedFile<T>(file: string, work: (unfinished: string) => Promise<T>): Promise<T> {
  const { lockFile } = await import('@sav/storage-kysely/backup')
  await removeAbandoned(dirname(file), lockFile)
  const unfinished = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.unfinished`)
  // Locked before the file is created, so that no other process sees it without its lock.
  const release = lockFile(`${unfinished}-lock`)
  try {
    await (await open(unfinished, 'wx', 0o600)).close()
    return await work(unfinished)
  } finally {
    for (const suffix of companions) await rm(`${unfinished}${suffix}`, { force: true })
    release?.()
  }
}

type LockFile = typeof import('@sav/storage-kysely/backup').lockFile

/** Removes unfinished files whose process has ended. A running process still holds the lock of its file. */
async function removeAbandoned(directory: string, lockFile: LockFile): Promise<void> {
  const names = new Set((await readdir(directory)).flatMap((name) => unfinishedName.exec(name) ?? []))
  for (const name of names) {
    const path = join(directory, name)
    if (!((await isOwn(path)) && (await isOwn(`${path}-lock`)))) continue
    const release = lockFile(`${path}-lock`)
    if (release === null) continue
    for (const suffix of companions) await rm(`${path}${suffix}`, { force: true })
    release()
  }
}

/** Whether a path is a file of this user, or missing. The temporary directory also has files of other users. */
async function isOwn(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  return found === null || (found.isFile() && found.uid === (process.getuid?.() ?? found.uid))
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

/**
 * Writes a new file, readable only by its owner. An existing file with the same content is kept, so that an interrupted
 * command can be run again.
 * @throws CommandError if a file with other content exists
 */
export async function writeNew(file: string, content: Uint8Array): Promise<void> {
  const write = (unfinished: string) => writeFile(unfinished, content)
  await writeWhole(file, write, takeFreeName).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    if (!(await readFile(file).catch(() => null))?.equals(content))
      throw usageError(`${file} exists already with other content: name another one with --output.`)
  })
}
