import { storeToken } from '@sav/core/feature'
import type { FieldFact, NewFieldFact } from './fact.js'

/** A file and its sender. It is uploaded before the write that refers to it. */
export interface UploadName {
  readonly account_id: string
  /** The user, or the key, that sends it. */
  readonly auteur_id: string
  readonly sha256: string
}

/** How much of a file has arrived. */
export interface Upload extends UploadName {
  /** Bytes in all. */
  readonly taille: number
  /** The bytes that have arrived, from the first on without a gap. */
  readonly recu: number
  /** Known once the whole file has arrived and matches its name; null before. */
  readonly media_type: string | null
  /** When its first bytes arrived. */
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
  /** The progress of an upload. Inside a transaction the upload is locked until the end. */
  upload(name: UploadName): Promise<Upload | null>
  /** The bytes received so far. */
  uploaded(name: UploadName): Promise<Uint8Array>
  /** The total announced length of those files of a user to which no write refers yet, in bytes. */
  uploadedBytes(account_id: string, auteur_id: string): Promise<number>
  /** The result of a write with this key. */
  fact(account_id: string, auteur_id: string, cle: string): Promise<FieldFact | null>
}

/** The reads inside a transaction, and the writes. */
export interface FieldWrites extends FieldReads {
  /** Adds an upload, or replaces the existing one. */
  putUpload(upload: Upload): Promise<void>
  /** Adds a part, unless it already exists. */
  addPart(part: UploadPart): Promise<void>
  /** Deletes a file and its parts. */
  removeUpload(name: UploadName): Promise<void>
  /** Deletes at most `limit` files that began before an instant. Resolves to their number. */
  purgeUploads(before: string, limit: number): Promise<number>
  /** Resolves to its id. Rejects if a write with this key exists. */
  addFact(fact: NewFieldFact): Promise<number>
  /** Deletes the findings about a client's visits, and the digests of reports about them: `empreinte` becomes empty. */
  eraseFacts(account_id: string, client_id: number): Promise<void>
  /** Deletes at most `limit` reports before an instant that need no action by the office. Resolves to their number. */
  purgeFacts(before: string, limit: number): Promise<number>
}

export const fieldStore = storeToken<FieldReads, FieldWrites>('field')
