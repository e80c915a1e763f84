import type { StoredFile } from './stored-file.js'

/** By what a content is known where it lies. */
export interface ContentName {
  readonly account_id: string
  readonly sha256: string
}

/**
 * A place for the contents of files outside of the store: a directory, a bucket. Every method may throw `UnavailableError`
 * when it is busy, full or away; then the same call may succeed later.
 */
export interface FileContents {
  /** Durable when it resolves. One that lies there under that name is replaced: it is the same. */
  put(account_id: string, file: StoredFile): Promise<void>
  /** Null when it is not there. Whether its bytes are those of its name is for the caller to check. */
  get(account_id: string, sha256: string): Promise<Uint8Array | null>
  /** When it resolves, nothing of it can be read there any more, in no earlier version. None there is no error. */
  remove(account_id: string, sha256: string): Promise<void>
  /** Every content that lies there, in no order; `account_id`: those of one account suffice. */
  list(account_id?: string): AsyncIterable<ContentName>
}

/** What a store does with the contents that lie outside of it. */
export interface OutsideFiles {
  /**
   * Puts files where they will lie, before the transaction that names them and is given the very same objects. When it
   * rejects, or that transaction does, or the process dies between, they are removed later.
   * @throws UnavailableError
   */
  upload(account_id: string, files: readonly StoredFile[]): Promise<void>
  /**
   * Removes contents whose time has come, some at once. Resolves to how many: 0 when there are none. Several processes
   * may call it at the same time; one that was killed at it is followed by the next after ten minutes.
   * @throws UnavailableError
   */
  removeDue(): Promise<number>
  /** Removes every content of an account that is being erased. @throws UnavailableError */
  removeAll(account_id: string): Promise<void>
  /**
   * Looks through everything that lies there, and has removed what no case holds: that of a store which went back to a
   * backup. Resolves to how many it found.
   */
  sweep(): Promise<number>
}
