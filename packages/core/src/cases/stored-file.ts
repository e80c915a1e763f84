export interface StoredFile {
  /** SHA-256 of `content`, lowercase hex: its name within the account. */
  readonly sha256: string
  readonly media_type: string
  readonly content: Uint8Array
}
