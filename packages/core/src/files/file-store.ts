import type { StoredFile } from './stored-file.js'

/** A file that a case holds, without its content. */
export type HeldFile = Pick<StoredFile, 'sha256' | 'media_type'>

/**
 * Photos, signatures and reports. A store keeps their content with everything else, so that there is one thing to back
 * up. With `withOutsideFiles`, the content is kept elsewhere.
 */
export interface FileReads {
  /** The file, if this case holds it; else null. There is no other way to read a file. */
  find(account_id: string, case_id: number, sha256: string): Promise<StoredFile | null>
  /** Every file that the case holds. */
  ofCase(account_id: string, case_id: number): Promise<HeldFile[]>
  /** The total bytes of all files of the account, wherever their contents are. */
  stored(account_id: string): Promise<number>
  /** Whether any case of the account holds the file. */
  isHeld(account_id: string, sha256: string): Promise<boolean>
  /** The id of the newest case of the account that holds the file. */
  latestHolder(account_id: string, sha256: string): Promise<number | null>
}

/** A file exists as long as a case of the account holds it. */
export interface FileWrites extends FileReads {
  /**
   * Keeps the file, once per account, and records that the case holds it.
   * @param taille the size of its content in bytes, if that is elsewhere
   */
  put(account_id: string, case_id: number, file: StoredFile, taille?: number): Promise<void>
  /**
   * Releases all files of the case. Files that no other case of the account holds are deleted. Resolves to the SHA-256
   * of the deleted ones.
   */
  release(account_id: string, case_id: number): Promise<string[]>
}
