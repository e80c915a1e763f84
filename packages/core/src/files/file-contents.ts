import type { StoredFile } from './stored-file.js'

/** The name of a content where it is stored. */
export interface ContentName {
  readonly account_id: string
  readonly sha256: string
}

/**
 * A place for the contents of files outside of the store: a directory, a bucket. Every method may throw `UnavailableError`
 * when it is busy, full or away; then the same call may succeed later.
 */
export interface FileContents {
  /** Durable when it resolves. Replaces one of that name, which has the same content. */
  put(account_id: string, file: StoredFile): Promise<void>
  /** The content; null when it is not there. The caller checks whether its bytes are those of its name. */
  get(account_id: string, sha256: string): Promise<Uint8Array | null>
  /**
   * Removes a content. When it resolves, none of it can be read there any more, in no earlier version. A missing one is
   * no error.
   */
  remove(account_id: string, sha256: string): Promise<void>
  /** Every content that is stored there, in no order; with `account_id`, at least those of that account. */
  list(account_id?: string): AsyncIterable<ContentName>
}

/** The work of a store on the contents outside of it. */
export interface OutsideFiles {
  /**
   * Puts files in their place, before the transaction that names them and gets the very same objects. When it rejects,
   * or that transaction does, or the process dies between, they are removed later.
   * @throws UnavailableError
   */
  upload(account_id: string, files: readonly StoredFile[]): Promise<void>
  /**
   * Removes contents that are due, some at once. Resolves to their number: 0 when there are none. Several
   * processes may call it at the same time. When one is killed during it, the next one takes over after ten minutes.
   * @throws UnavailableError
   */
  removeDue(): Promise<number>
  /** Removes every content of an account that is being erased. @throws UnavailableError */
  removeAll(account_id: string): Promise<void>
  /**
   * Looks through all contents, and marks those that no case holds for removal: a store restored from a backup has
   * such. Resolves to their number.
   */
  sweep(): Promise<number>
}
