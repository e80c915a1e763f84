import { randomBytes } from 'node:crypto'
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { usageError } from '../invocation/command-error.js'

/** Left by a process that was killed, once nobody has written to it for so long. */
const abandonedMs = 3_600_000

const unfinishedName = /^\..+\.[0-9a-f]{12}\.unfinished(-journal|-wal|-shm)?$/

/** What SQLite may leave beside a file that is given up. */
const companions = ['', '-journal', '-wal', '-shm']

/**
 * Has `work` write a file of another name beside it, for its owner alone, which takes the name when it is whole and on the
 * disk. When anything fails, nothing of it is left. What killed processes have left there goes first.
 */
export async function writeWhole<T>(file: string, work: (unfinished: string) => Promise<T>): Promise<T> {
  await removeAbandoned(dirname(file))
  const unfinished = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.unfinished`)
  try {
    await (await open(unfinished, 'wx', 0o600)).close()
    const result = await work(unfinished)
    await sync(unfinished)
    await rename(unfinished, file)
    await sync(dirname(file))
    return result
  } catch (error) {
    for (const suffix of companions) await rm(`${unfinished}${suffix}`, { force: true })
    throw error
  }
}

async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!unfinishedName.test(name)) continue
    const path = join(directory, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && Date.now() - found.mtimeMs > abandonedMs) await rm(path, { force: true })
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

/**
 * Writes a file for its owner alone, where none is.
 * @throws CommandError for one that is there
 */
export async function writeNew(file: string, content: Uint8Array): Promise<void> {
  await writeFile(file, content, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? usageError(`${file} exists already: name another one with --output.`) : error
  })
}
