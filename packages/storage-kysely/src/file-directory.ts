import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { accountForm, sha256Form } from '@sav/core/internal'
import { type FileContents, UnavailableError } from '@sav/core/ports'

/**
 * Contents of files in a directory, under their account and SHA-256, for their owner alone: give it to `withOutsideFiles`.
 * To back up by hand: first the store, then the directory.
 */
export function fileDirectory(root: string): FileContents {
  function placeOf(account_id: string, sha256: string): { folder: string; path: string } {
    if (!accountForm.test(account_id) || !sha256Form.test(sha256))
      throw new Error(`${account_id}/${sha256} cannot name a file.`)
    const folder = join(root, account_id, sha256.slice(0, 2))
    return { folder, path: join(folder, sha256) }
  }

  return {
    async put(account_id, { sha256, content }) {
      const { folder, path } = placeOf(account_id, sha256)
      await mkdir(folder, { recursive: true, mode: 0o700 })
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
        throw asUnavailable(error)
      }
      await syncFolder(folder)
    },

    async get(account_id, sha256) {
      return readFile(placeOf(account_id, sha256).path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
    },

    async remove(account_id, sha256) {
      const { folder, path } = placeOf(account_id, sha256)
      await rm(path, { force: true })
      await syncFolder(folder)
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

/** Nothing was written, and there may be room again. */
function asUnavailable(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new UnavailableError('The disk with the files is full.', { cause: error, retryAfterSeconds: 10 })
}

/** None where there is no such folder. */
async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
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
