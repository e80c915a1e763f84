import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { usageError } from './command-error.js'

/** The name of a file that exists until the export is complete, and says what is exported. */
const marker = '.unfinished'
const lock = `${marker}-lock`

/** The name of an exported file: the SHA-256 of its content, with an extension. */
const exportedName = /^[0-9a-f]{64}\.[a-z]+$/

export interface ExportDirectory {
  readonly path: string
  /** The path as the user typed it, for messages. */
  readonly output: string
}

/**
 * Lets `work` fill a directory that is new, empty, or left by an unfinished export of the same subject.
 * @param subject what is exported
 * @throws CommandError for any other directory
 */
export async function fillDirectory<T>(
  { path, output }: ExportDirectory,
  subject: object,
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const said = JSON.stringify(subject)
  const names = await readdir(path)
  const left = names.includes(marker) ? await readFile(join(path, marker), 'utf8') : null
  if (names.some((name) => name !== marker && name !== lock)) {
    if (left === null) throw usageError(`${output} is not empty: name another directory.`)
    if (left !== said)
      throw usageError(`${output} contains an unfinished export of something else (${left}): name another directory.`)
  }
  const { lockFile } = await import('@sav/storage-kysely/backup')
  const release = lockFile(join(path, lock))
  if (release === null)
    throw usageError(`${output}: another export is writing there. Wait for it, or name another directory.`)
  try {
    await writeFile(join(path, marker), said, { mode: 0o600 })
    const result = await work()
    await rm(join(path, marker))
    await rm(join(path, lock))
    return result
  } finally {
    release()
  }
}

/** Files in a directory, each named by the hash of its content. A complete file from an earlier export is kept. */
export class ExportedFiles {
  readonly #directory: string
  readonly #names = new Set<string>()

  constructor(directory: string) {
    this.#directory = directory
  }

  /**
   * Adds a file once, even if several cases have it.
   * @returns whether this call added it
   */
  async add(name: string, read: () => Promise<{ readonly content: Uint8Array } | null>): Promise<boolean> {
    if (this.#names.has(name)) return false
    const path = join(this.#directory, name)
    if (!(await isWhole(path, name))) {
      const file = await read()
      if (file === null) return false
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
      await rm(path, { force: true })
      await writeFile(path, file.content, { flag: 'wx', mode: 0o600 })
    }
    this.#names.add(name)
    return true
  }

  /**
   * Removes files that were not added: an unfinished earlier export may have left files of cases that were erased
   * since.
   */
  async removeOthers(): Promise<void> {
    const names = await readdir(this.#directory).catch(() => [])
    for (const name of names)
      if (exportedName.test(name) && !this.#names.has(name)) await rm(join(this.#directory, name))
  }
}

async function isWhole(path: string, name: string): Promise<boolean> {
  const content = await readFile(path).catch(() => null)
  return content !== null && name.startsWith(createHash('sha256').update(content).digest('hex'))
}
