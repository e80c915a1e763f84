/** A content outside of the store that is removed there, unless a case holds it by then. */
export interface FileRemoval {
  readonly account_id: string
  readonly sha256: string
  /** An instant: nobody begins, or begins again, before it. */
  readonly remove_at: string
  /** An instant: since when somebody may be at it; null before. */
  readonly begun_at: string | null
}

/** Contents outside of the store that no case may hold: at most one row for each content of an account. */
export interface FileRemovalReads {
  /** Inside a transaction nobody else changes the one that it found before the end. */
  find(account_id: string, sha256: string): Promise<FileRemoval | null>
  /** At most `limit` of all accounts whose time has come at the instant `now`, the earliest first. */
  due(now: string, limit: number): Promise<FileRemoval[]>
}

/** Rows come with an upload, and with a case that lets go; they go when a case holds the content, or it is removed. */
export interface FileRemovalWrites extends FileRemovalReads {
  /** In place of the one that is there. */
  save(removal: FileRemoval): Promise<void>
  /** Takes one away that has not begun. False when there is none, or it has. */
  cancel(account_id: string, sha256: string): Promise<boolean>
  /** Takes it away. */
  forget(account_id: string, sha256: string): Promise<void>
}
