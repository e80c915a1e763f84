import type { StoredFile } from './stored-file.js'

/** A file that a case holds, without its content. */
export type HeldFile = Pick<StoredFile, 'sha256' | 'media_type'>

/**
 * Photos, signatures and reports. A store keeps their content with everything else, so that there is one thing to back
 * up; with `withOutsideFiles` it lies elsewhere, and the store keeps files of no content.
 */
export interface FileReads {
  /** Null unless this very case holds the file: there is no other way to a file. */
  find(account_id: string, case_id: number, sha256: string): Promise<StoredFile | null>
  /** Every file that the case holds. */
  ofCase(account_id: string, case_id: number): Promise<HeldFile[]>
  /** How many bytes all files of the account take, wherever their contents lie. */
  stored(account_id: string): Promise<number>
  /** Whether any case of the account holds the file. */
  isHeld(account_id: string, sha256: string): Promise<boolean>
}

/** A file lives for as long as a case of the account holds it. */
export interface FileWrites extends FileReads {
  /**
   * Keeps the file, once per account, and notes that the case holds it.
   * @param taille of its content in bytes, where that lies elsewhere
   */
  put(account_id: string, case_id: number, file: StoredFile, taille?: number): Promise<void>
  /**
   * The case lets go of all its files; those that no other case of the account holds are deleted. Resolves to the
   * SHA-256 of the deleted ones.
   */
  release(account_id: string, case_id: number): Promise<string[]>
}
