/** A content outside of the store that will be removed, unless a case holds it by then. */
export interface FileRemoval {
  readonly account_id: string
  readonly sha256: string
  /** The earliest instant at which a process may begin the removal, or begin it again. */
  readonly remove_at: string
  /** When a process began to remove it; null: none has. */
  readonly begun_at: string | null
}

/** Contents outside of the store that are removed unless a case holds them: one row for each content of an account. */
export interface FileRemovalReads {
  /** Finds the row of a content. Inside a transaction, locks the row until the end. */
  find(account_id: string, sha256: string): Promise<FileRemoval | null>
  /** Rows of all accounts that are due at the instant `now`, at most `limit`, the earliest first. */
  due(now: string, limit: number): Promise<FileRemoval[]>
}

/**
 * An upload adds a row, and so does a case that releases a file. The row is deleted when a case holds the content, or
 * when the content has been removed.
 */
export interface FileRemovalWrites extends FileRemovalReads {
  /** Adds a row, or replaces the one of the same content. */
  save(removal: FileRemoval): Promise<void>
  /** Deletes a row whose removal has not begun. Resolves to false when there is none, or its removal has begun. */
  cancel(account_id: string, sha256: string): Promise<boolean>
  /** Deletes a row. */
  forget(account_id: string, sha256: string): Promise<void>
}
