import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { accountForm, sha256Form } from '@sav/core/adapter'
import { type FileContents, UnavailableError } from '@sav/core/ports'

/**
 * Contents of files in a directory, by account and SHA-256, readable only by their owner, for `withOutsideFiles`. The
 * directory must exist: creating it would conceal that its volume is not mounted, and mounting it later would hide what
 * was written. To back up by hand: first the store, then the directory.
 */
export function fileDirectory(root: string): FileContents {
  function placeOf(account_id: string, sha256: string): { folders: readonly string[]; path: string } {
    if (!accountForm.test(account_id) || !sha256Form.test(sha256))
      throw new Error(`${account_id}/${sha256} cannot name a file.`)
    const ofAccount = join(root, account_id)
    const folder = join(ofAccount, sha256.slice(0, 2))
    return { folders: [ofAccount, folder], path: join(folder, sha256) }
  }

  /** Turns an error of the file system into one that says when to retry. */
  async function unavailable(cause: unknown): Promise<unknown> {
    const { code } = cause as NodeJS.ErrnoException
    if (code === undefined) return cause
    if (code === 'ENOSPC' || code === 'EDQUOT')
      return new UnavailableError('The disk with the files is full.', { cause, retryAfterSeconds: 10 })
    const isThere = await stat(root).then(
      () => true,
      () => false,
    )
    const problem = isThere
      ? `cannot be used (${code}): allow this user to write there.`
      : 'is not there: is its volume mounted?'
    return new UnavailableError(`The directory of the files, ${root}, ${problem}`, { cause, retryAfterSeconds: 60 })
  }

  const reachable = <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error: unknown) => {
      throw await unavailable(error)
    })

  /** Null if the directory exists but the file does not. */
  const unlessMissing = <T>(work: Promise<T>): Promise<T | null> =>
    reachable(
      work.catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        await stat(root)
        return null
      }),
    )

  async function foldersIn(path: string): Promise<string[]> {
    const entries = (await unlessMissing(readdir(path, { withFileTypes: true }))) ?? []
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  }

  return {
    async put(account_id, { sha256, content }) {
      await reachable(write({ ...placeOf(account_id, sha256), content }))
    },

    async get(account_id, sha256) {
      return unlessMissing(readFile(placeOf(account_id, sha256).path))
    },

    async remove(account_id, sha256) {
      const { path } = placeOf(account_id, sha256)
      await unlessMissing(rm(path))
      await syncFolder(dirname(path))
    },

    async *list(only) {
      for (const account_id of await foldersIn(root)) {
        if (!accountForm.test(account_id) || (only ?? account_id) !== account_id) continue
        for (const start of await foldersIn(join(root, account_id)))
          for (const sha256 of await readdir(join(root, account_id, start)))
            if (sha256Form.test(sha256)) yield { account_id, sha256 }
      }
    },
  }
}

interface Writing {
  /** The folders of the file, outermost first. */
  readonly folders: readonly string[]
  readonly path: string
  readonly content: Uint8Array
}

/** Writes the whole file or nothing, and syncs it to disk. */
async function write({ folders, path, content }: Writing): Promise<void> {
  for (const folder of folders)
    await mkdir(folder, { mode: 0o700 }).then(
      () => syncFolder(dirname(folder)),
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      },
    )
  const folder = dirname(path)
  const unfinished = join(folder, `.${randomUUID()}`)
  try {
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  await syncFolder(folder)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  try {
    await folder?.sync()
  } finally {
    await folder?.close()
  }
}
