import type { StoredFile } from './stored-file.js'

/** The name of a stored content. */
export interface ContentName {
  readonly account_id: string
  readonly sha256: string
}

/**
 * Holds the contents of files outside of the store: a directory, a bucket. Every method may throw `UnavailableError`
 * when it is busy, full or unreachable; the same call may succeed later.
 */
export interface FileContents {
  /** Stores a content durably before it resolves. It may replace a content of that name, which has the same bytes. */
  put(account_id: string, file: StoredFile): Promise<void>
  /** The content, or null if it is missing. The caller checks that the bytes match the name. */
  get(account_id: string, sha256: string): Promise<Uint8Array | null>
  /**
   * Removes a content. When it resolves, none of it can be read any more, in any version. Removing a missing one
   * succeeds.
   */
  remove(account_id: string, sha256: string): Promise<void>
  /** All stored contents, unordered; with `account_id`, at least those of that account. */
  list(account_id?: string): AsyncIterable<ContentName>
}

/** How a store manages the contents outside of it. */
export interface OutsideFiles {
  /**
   * Uploads files before the transaction that names them. That transaction must get the very same objects. If the
   * upload or the transaction rejects, or the process dies in between, the files are removed later.
   * @throws UnavailableError
   */
  upload(account_id: string, files: readonly StoredFile[]): Promise<void>
  /**
   * Removes some of the contents that are due. Resolves to their number: 0 when there are none. Several processes may
   * call it at the same time. If one is killed meanwhile, another takes over after ten minutes.
   * @throws UnavailableError
   */
  removeDue(): Promise<number>
  /** Removes every content of an account that is being erased. @throws UnavailableError */
  removeAll(account_id: string): Promise<void>
  /** Marks contents that no case holds for removal: a restored backup may have some. Resolves to their number. */
  sweep(): Promise<number>
}
