import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, stat, unlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileReads, Storage, StoredFile, Transaction } from '@sav/core/ports'

/**
 * No transaction lasts so long: a file that was written or written again since may be one that is about to be held, and
 * stays for the next sweep.
 */
const youngMs = 10 * 60_000

/** A store whose files lie in a directory, and what keeps that directory tidy. */
export interface StorageWithFileDirectory {
  readonly storage: Storage
  /** Deletes the files that no case holds: what an interrupted write or an erasure has left. Resolves to their number. */
  sweep(): Promise<number>
}

/**
 * Keeps the content of files in `directory`, under their account and SHA-256, and everything else in `store`. A file is on
 * disk before the transaction that holds it commits. To back up by hand: first the store, then the directory.
 */
export function withFileDirectory(store: Storage, directory: string): StorageWithFileDirectory {
  const files = new FileDirectory(directory)

  const reading = (reads: FileReads): FileReads => ({
    isHeld: (account_id, sha256) => reads.isHeld(account_id, sha256),
    ofCase: (account_id, case_id) => reads.ofCase(account_id, case_id),
    async find(account_id, case_id, sha256) {
      const file = await reads.find(account_id, case_id, sha256)
      // What was stored before the directory was there still has its content.
      if (file === null || file.content.length > 0) return file
      const content = await files.read(account_id, sha256)
      return content && { ...file, content }
    },
  })

  /** Deletes what nobody holds any more, and nothing that is about to be held again. */
  async function deleteUnheld(account_id: string, sha256: string): Promise<boolean> {
    if (await store.reads.files.isHeld(account_id, sha256)) return false
    return files.removeOld(account_id, sha256)
  }

  const writing = (tx: Transaction, released: Map<string, string>): Transaction => ({
    ...tx,
    files: {
      ...reading(tx.files),
      async put(account_id, case_id, file) {
        await files.write(account_id, file)
        await tx.files.put(account_id, case_id, { ...file, content: new Uint8Array() })
      },
      async release(account_id, case_id) {
        const deleted = await tx.files.release(account_id, case_id)
        for (const sha256 of deleted) released.set(sha256, account_id)
        return deleted
      },
    },
  })

  const storage: Storage = {
    ...store,
    reads: { ...store.reads, files: reading(store.reads.files) },
    async transaction(work) {
      const released = new Map<string, string>()
      const result = await store.transaction((tx) => {
        released.clear()
        return work(writing(tx, released))
      })
      for (const [sha256, account_id] of released) await deleteUnheld(account_id, sha256)
      return result
    },
  }

  return {
    storage,
    async sweep() {
      let deleted = 0
      for await (const { account_id, sha256 } of files.all()) if (await deleteUnheld(account_id, sha256)) deleted += 1
      return deleted
    },
  }
}

/** The content of a file in `directory`; null when it is not there. */
export async function contentOf(directory: string, account_id: string, sha256: string): Promise<Uint8Array | null> {
  return new FileDirectory(directory).read(account_id, sha256)
}

const isName = (text: string) => /^[a-z0-9][a-z0-9_-]{0,62}$/.test(text)
const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text)

class FileDirectory {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** Durable when it resolves: the bytes, and the name that leads to them. */
  async write(account_id: string, { sha256, content }: StoredFile): Promise<void> {
    const { folder, path } = this.#pathOf(account_id, sha256)
    const now = new Date()
    const touched = await utimes(path, now, now).then(
      () => true,
      () => false,
    )
    if (touched) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const unfinished = join(folder, `.${randomUUID()}`)
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
    await syncFolder(folder)
  }

  /** Null when it is gone. */
  async read(account_id: string, sha256: string): Promise<Uint8Array | null> {
    return readFile(this.#pathOf(account_id, sha256).path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
  }

  /** False for one that is too young, or gone already. */
  async removeOld(account_id: string, sha256: string): Promise<boolean> {
    const { path } = this.#pathOf(account_id, sha256)
    const found = await stat(path).catch(() => null)
    if (found === null || Date.now() - found.mtimeMs < youngMs) return false
    await unlink(path)
    return true
  }

  async *all(): AsyncGenerator<{ readonly account_id: string; readonly sha256: string }> {
    for (const account_id of await readdir(this.#root).catch(() => [])) {
      if (!isName(account_id)) continue
      for (const start of await readdir(join(this.#root, account_id)))
        for (const sha256 of await readdir(join(this.#root, account_id, start)))
          if (isHash(sha256)) yield { account_id, sha256 }
    }
  }

  #pathOf(account_id: string, sha256: string): { folder: string; path: string } {
    if (!isName(account_id) || !isHash(sha256)) throw new Error(`${account_id}/${sha256} cannot name a file.`)
    const folder = join(this.#root, account_id, sha256.slice(0, 2))
    return { folder, path: join(folder, sha256) }
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
