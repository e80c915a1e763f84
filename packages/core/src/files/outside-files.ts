import { UnavailableError } from '../errors.js'
import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { FileContents } from './file-contents.js'
import type { FileRemoval } from './file-removal-store.js'
import type { FileReads } from './file-store.js'
import type { StoredFile } from './stored-file.js'

/**
 * How long a content is kept after its release, or after an upload that no transaction has named. A transaction that
 * names it later is refused.
 */
const graceMs = 10 * 60_000

/** How long a removal by one process may take before another process may begin it again. */
const removingMs = 10 * 60_000

/** Removals per call. */
const atOnce = 100

/** Where the contents are, and the clock for their removal. */
export interface OutsideFilesDeps {
  readonly contents: FileContents
  readonly clock: Clock
}

/**
 * Keeps the contents of files in `contents` and everything else in `store`. A content is uploaded before the
 * transaction that names it. If that never happens, or a case releases the file, a row is left, by which
 * `outsideFiles.removeDue` later removes the content. Contents that were already in `store` stay there.
 */
export function withOutsideFiles(store: Storage, { contents, clock }: OutsideFilesDeps): Storage {
  /** Files that were uploaded before their transaction, by object identity, with their account. */
  const uploaded = new WeakMap<StoredFile, string>()
  const inMs = (ms: number) => toInstant(clock.now() + ms)
  /** The removal that may begin after the grace time, unless a case holds the content by then. */
  const afterGrace = (account_id: string, sha256: string): FileRemoval => ({
    account_id,
    sha256,
    remove_at: inMs(graceMs),
    begun_at: null,
  })

  /** Writes the row that remains if the process is killed from here on. */
  async function announce(tx: Transaction, account_id: string, sha256: string): Promise<void> {
    const removal = await tx.fileRemovals.find(account_id, sha256)
    if (removal !== null && removal.begun_at !== null) throw isBeingRemoved(sha256)
    await tx.fileRemovals.save(afterGrace(account_id, sha256))
  }

  /** @throws UnavailableError for a content that was removed since its upload, or may be in removal */
  async function claim(tx: Transaction, account_id: string, sha256: string): Promise<void> {
    if (await tx.fileRemovals.cancel(account_id, sha256)) return
    // Without a row, another transaction has named the content: it is held.
    const removal = await tx.fileRemovals.find(account_id, sha256)
    if (removal !== null || !(await tx.files.isHeld(account_id, sha256))) throw isBeingRemoved(sha256)
  }

  const reading = (reads: FileReads): FileReads => ({
    stored: (account_id) => reads.stored(account_id),
    isHeld: (account_id, sha256) => reads.isHeld(account_id, sha256),
    latestHolder: (account_id, sha256) => reads.latestHolder(account_id, sha256),
    ofCase: (account_id, case_id) => reads.ofCase(account_id, case_id),
    async find(account_id, case_id, sha256) {
      const file = await reads.find(account_id, case_id, sha256)
      if (file === null || file.content.length > 0) return file
      const content = await contents.get(account_id, sha256)
      return content && { ...file, content }
    },
  })

  const writing = (tx: Transaction): Transaction => ({
    ...tx,
    files: {
      ...reading(tx.files),
      async put(account_id, case_id, file) {
        if (uploaded.get(file) !== account_id) {
          await announce(tx, account_id, file.sha256)
          await contents.put(account_id, file)
        }
        await claim(tx, account_id, file.sha256)
        await tx.files.put(account_id, case_id, { ...file, content: new Uint8Array() }, file.content.length)
      },
      async release(account_id, case_id) {
        const released = await tx.files.release(account_id, case_id)
        for (const sha256 of released) await tx.fileRemovals.save(afterGrace(account_id, sha256))
        return released
      },
    },
  })

  /** Begins to remove a content. Resolves to false if the content must stay, or another process is removing it. */
  async function begin(account_id: string, sha256: string): Promise<boolean> {
    return store.transaction(async (tx) => {
      const now = inMs(0)
      const removal = await tx.fileRemovals.find(account_id, sha256)
      if (removal === null || removal.remove_at > now) return false
      if (await tx.files.isHeld(account_id, sha256)) {
        await tx.fileRemovals.forget(account_id, sha256)
        return false
      }
      await tx.fileRemovals.save({ ...removal, remove_at: inMs(removingMs), begun_at: now })
      return true
    })
  }

  return {
    ...store,
    reads: { ...store.reads, files: reading(store.reads.files) },
    transaction: (work) => store.transaction((tx) => work(writing(tx))),
    outsideFiles: {
      async upload(account_id, files) {
        if (files.length === 0) return
        await store.transaction(async (tx) => {
          // Every transaction locks the rows in the same order, so that no two wait for each other.
          for (const sha256 of files.map((file) => file.sha256).sort()) await announce(tx, account_id, sha256)
        })
        await Promise.all(files.map((file) => contents.put(account_id, file)))
        for (const file of files) uploaded.set(file, account_id)
      },

      async removeDue() {
        const failures: unknown[] = []
        let removed = 0
        for (const { account_id, sha256 } of await store.reads.fileRemovals.due(inMs(0), atOnce)) {
          if (!(await begin(account_id, sha256))) continue
          try {
            await contents.remove(account_id, sha256)
          } catch (error) {
            // If the place is unavailable, no content can be removed. The fault of a single content must not delay the
            // others.
            if (error instanceof UnavailableError) throw error
            failures.push(error)
            await store.transaction((tx) => tx.fileRemovals.save(afterGrace(account_id, sha256)))
            continue
          }
          await store.transaction((tx) => tx.fileRemovals.forget(account_id, sha256))
          removed += 1
        }
        if (failures.length > 0) throw failures[0]
        return removed
      },

      removeAll: (account_id) => removeAll(contents, account_id),

      sweep: () => sweep({ store, contents }, afterGrace),
    },
  }
}

async function sweep(
  { store, contents }: { readonly store: Storage; readonly contents: FileContents },
  removalOf: (account_id: string, sha256: string) => FileRemoval,
): Promise<number> {
  let found = 0
  for await (const { account_id, sha256 } of contents.list()) {
    if (await store.reads.files.isHeld(account_id, sha256)) continue
    const isNew = await store.transaction(async (tx) => {
      if ((await tx.fileRemovals.find(account_id, sha256)) !== null) return false
      await tx.fileRemovals.save(removalOf(account_id, sha256))
      return true
    })
    if (isNew) found += 1
  }
  return found
}

async function removeAll(contents: FileContents, account_id: string): Promise<void> {
  for await (const content of contents.list(account_id))
    if (content.account_id === account_id) await contents.remove(account_id, content.sha256)
}

function isBeingRemoved(sha256: string): UnavailableError {
  return new UnavailableError(`File ${sha256} is being removed: send it again in a moment.`, {
    retryAfterSeconds: 30,
  })
}
