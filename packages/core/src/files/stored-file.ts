/** A photo, signature, logo or report, with its content. */
export interface StoredFile {
  /** SHA-256 of `content`, lowercase hex: its name within the account. */
  readonly sha256: string
  readonly media_type: string
  readonly content: Uint8Array
}

/** A photo: a stored file, by its SHA-256 (lowercase hex), or a link that is never fetched. */
export type Photo = ({ readonly sha256: string } | { readonly url: string }) & AddedPhoto

/** Additional fields of a photo that was added later. */
interface AddedPhoto {
  readonly date?: string
  /** The appointment at which it was taken. */
  readonly rdv_id?: number
}
