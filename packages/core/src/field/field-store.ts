import type { FieldFact, NewFieldFact } from './fact.js'

/** A file that comes before the write that names it: whose it is until then. */
export interface UploadName {
  readonly account_id: string
  /** The person, or the key, that sends it. */
  readonly auteur_id: string
  readonly sha256: string
}

/** How far a file has come. */
export interface Upload extends UploadName {
  /** Bytes in all. */
  readonly taille: number
  /** Bytes that are here, from the first on without a gap. */
  readonly recu: number
  /** Known once all of it is here, and is what its name says; null before. */
  readonly media_type: string | null
  /** When its first bytes came. */
  readonly date: string
}

/** A part of a file. */
export interface UploadPart extends UploadName {
  /** How many bytes of the file come before it. */
  readonly position: number
  readonly content: Uint8Array
}

/** What phones send, and what came of it. */
export interface FieldReads {
  /** Inside a transaction nobody else changes it before the end. */
  upload(name: UploadName): Promise<Upload | null>
  /** Its bytes so far. */
  uploaded(name: UploadName): Promise<Uint8Array>
  /** Bytes, as they were announced, of all files of a person that no write has named yet. */
  uploadedBytes(account_id: string, auteur_id: string): Promise<number>
  /** What a write of this key led to. */
  fact(account_id: string, auteur_id: string, cle: string): Promise<FieldFact | null>
  /** Those that the office should look at, with an id below `before`, the newest first. */
  constats(account_id: string, page: { readonly before: number; readonly limit: number }): Promise<FieldFact[]>
}

/** The same inside a transaction, with what it may write. */
export interface FieldWrites extends FieldReads {
  /** In place of the one that is there. */
  putUpload(upload: Upload): Promise<void>
  /** One that is there already stays as it is. */
  addPart(part: UploadPart): Promise<void>
  /** Takes a file and its parts away. */
  removeUpload(name: UploadName): Promise<void>
  /** Takes away at most `limit` files that began before an instant. Resolves to how many. */
  purgeUploads(before: string, limit: number): Promise<number>
  /** Resolves to its id. Rejects where a write of this key is there. */
  addFact(fact: NewFieldFact): Promise<number>
  /** Takes away what was found about a client's visits. */
  eraseFacts(account_id: string, client_id: number): Promise<void>
  /** Takes away at most `limit` from before an instant that the office need not look at. Resolves to how many. */
  purgeFacts(before: string, limit: number): Promise<number>
}
