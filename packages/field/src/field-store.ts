import { storeToken } from '@sav/core/feature'
import type { FieldFact, NewFieldFact } from './fact.js'

/** A file that comes before the write that names it, with its sender. */
export interface UploadName {
  readonly account_id: string
  /** The person, or the key, that sends it. */
  readonly auteur_id: string
  readonly sha256: string
}

/** How much of a file has arrived. */
export interface Upload extends UploadName {
  /** Bytes in all. */
  readonly taille: number
  /** The bytes that have arrived, from the first on without a gap. */
  readonly recu: number
  /** Known once all of it is here, and matches its name; null before. */
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

/** Writes and files from phones, and their results. */
export interface FieldReads {
  /** Inside a transaction it is locked until the end. */
  upload(name: UploadName): Promise<Upload | null>
  /** Its bytes so far. */
  uploaded(name: UploadName): Promise<Uint8Array>
  /** The announced bytes of all files of a person that no write has named yet. */
  uploadedBytes(account_id: string, auteur_id: string): Promise<number>
  /** The result of a write with this key. */
  fact(account_id: string, auteur_id: string, cle: string): Promise<FieldFact | null>
}

/** The same inside a transaction, with what it may write. */
export interface FieldWrites extends FieldReads {
  /** Adds an upload, or replaces the one that is there. */
  putUpload(upload: Upload): Promise<void>
  /** Adds a part; one that exists already stays as it is. */
  addPart(part: UploadPart): Promise<void>
  /** Deletes a file and its parts. */
  removeUpload(name: UploadName): Promise<void>
  /** Deletes at most `limit` files that began before an instant. Resolves to their number. */
  purgeUploads(before: string, limit: number): Promise<number>
  /** Resolves to its id. Rejects if there is a write with this key. */
  addFact(fact: NewFieldFact): Promise<number>
  /** Deletes the findings about a client's visits, and the digests of reports on them: `empreinte` is empty. */
  eraseFacts(account_id: string, client_id: number): Promise<void>
  /** Deletes at most `limit` facts before an instant that need no attention of the office. Resolves to their number. */
  purgeFacts(before: string, limit: number): Promise<number>
}

export const fieldStore = storeToken<FieldReads, FieldWrites>('field')
