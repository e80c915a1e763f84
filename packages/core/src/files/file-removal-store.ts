/** A content outside of the store that is removed there, unless a case holds it by then. */
export interface FileRemoval {
  readonly account_id: string
  readonly sha256: string
  /** The instant before which a removal does not begin, or begin again. */
  readonly remove_at: string
  /** The instant since which a process may be removing it; null before. */
  readonly begun_at: string | null
}

/** Contents outside of the store that no case may hold: at most one row for each content of an account. */
export interface FileRemovalReads {
  /** Finds one. Inside a transaction it is locked until the end. */
  find(account_id: string, sha256: string): Promise<FileRemoval | null>
  /** At most `limit` of all accounts that are due at the instant `now`, the earliest first. */
  due(now: string, limit: number): Promise<FileRemoval[]>
}

/**
 * Rows are added by an upload, and by a case that releases a file. They go when a case holds the content, or it is
 * removed.
 */
export interface FileRemovalWrites extends FileRemovalReads {
  /** Adds a row, or replaces the one of the same content. */
  save(removal: FileRemoval): Promise<void>
  /** Deletes a row whose removal has not begun. False when there is none, or it has begun. */
  cancel(account_id: string, sha256: string): Promise<boolean>
  /** Deletes a row. */
  forget(account_id: string, sha256: string): Promise<void>
}
