import { type Actor, ValidationError, type Write } from '@sav/core'
import { photoBytes, type Reads, sentImage, sha256Form, sha256Of, toInstant } from '@sav/core/feature'
import type { Clock, StoredFile, Transaction } from '@sav/core/ports'
import { fieldStore, type Upload, type UploadName } from './field-store.js'
import { conflict, fieldProblem } from './refusals.js'

/** A file, or a part of one, as it arrives. */
export interface SentPart {
  /** SHA-256 of the whole file, lowercase hex. */
  readonly sha256: string
  /** Bytes of the whole file. */
  readonly taille: number
  /** Where the part begins. */
  readonly debut: number
  /** The bytes of the part. If empty, the call only asks for the progress of the file. */
  readonly content: Uint8Array
}

/** The progress of a file: `recu` of `taille` bytes. It is `complet` when it has arrived and matches its name. */
export interface UploadProgress {
  readonly recu: number
  readonly taille: number
  readonly complet: boolean
  /** Whether the file was complete before this part. */
  readonly deja: boolean
}

/** The most bytes that one user may upload before a write refers to them: several days of photos. */
const maxBytesWaiting = 512 * 1024 * 1024

/** The owner of an actor's files. */
export const auteurOf = ({ account_id, id, type }: Actor): Pick<UploadName, 'account_id' | 'auteur_id'> => ({
  account_id,
  auteur_id: id ?? type,
})

/**
 * The new bytes of a part; null if earlier bytes are missing. A part that is sent again, because its answer was lost,
 * has no new bytes.
 */
function newBytes({ recu }: Pick<Upload, 'recu'>, { debut, content }: SentPart): Uint8Array | null {
  if (debut > recu) return null
  return content.subarray(Math.min(content.length, recu - debut))
}

export interface UploadsDeps {
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Receives a part of a file. A part from the first byte restarts the file, which repairs a damaged one.
 * @throws ValidationError for a file that is too long, or differs from its name; none of it is kept then
 */
export function receiving({ clock }: UploadsDeps, actor: Actor, part: SentPart): Write<UploadProgress> {
  const name = { ...auteurOf(actor), sha256: part.sha256 }
  const problems = [
    ...(sha256Form.test(part.sha256) ? [] : [fieldProblem('sha256', 'not_a_sha256')]),
    ...(part.taille >= 1 ? [] : [fieldProblem('taille', 'too_small', { min: 1 })]),
    ...(part.taille <= photoBytes ? [] : [fieldProblem('taille', 'too_large', { max: photoBytes })]),
  ]
  if (problems.length > 0) throw new ValidationError(problems)
  return {
    async write(tx) {
      const found = await tx.of(fieldStore).upload(name)
      if (found?.media_type) return { recu: found.taille, taille: found.taille, complet: true, deja: true }
      const { taille } = part
      const goesOn = found !== null && found.taille === taille && (part.debut > 0 || part.content.length === 0)
      const before = goesOn ? found : { ...name, taille, recu: 0, media_type: null, date: toInstant(clock.now()) }
      if (part.content.length === 0) return { recu: before.recu, taille, complet: false, deja: false }
      if (!goesOn) await begin(tx, before, found)
      const bytes = newBytes(before, part)
      if (bytes === null || bytes.length === 0) return { recu: before.recu, taille, complet: false, deja: false }
      await tx.of(fieldStore).addPart({ ...name, position: before.recu, content: bytes })
      const recu = before.recu + bytes.length
      const media_type = recu < taille ? null : await typeOf(tx, name)
      await tx.of(fieldStore).putUpload({ ...before, recu, media_type })
      return { recu, taille, complet: media_type !== null, deja: false }
    },
  }
}

async function begin(tx: Transaction, upload: Upload, instead: Upload | null): Promise<void> {
  if (instead !== null) await tx.of(fieldStore).removeUpload(instead)
  const waiting = await tx.of(fieldStore).uploadedBytes(upload.account_id, upload.auteur_id)
  if (waiting + upload.taille > maxBytesWaiting) throw conflict('uploads_waiting', { max: maxBytesWaiting })
  await tx.of(fieldStore).putUpload(upload)
}

/** @throws ValidationError */
async function typeOf(tx: Transaction, name: UploadName): Promise<string> {
  const content = await tx.of(fieldStore).uploaded(name)
  const sha256 = sha256Of(content)
  if (sha256 !== name.sha256)
    throw new ValidationError([fieldProblem('sha256', 'content_hashes_otherwise', { found: sha256 })])
  const image = await sentImage(content, 'photo')
  if ('code' in image) throw new ValidationError([{ field: 'sha256', ...image }])
  return image.media_type
}

/** Which of the `hashes` this user has sent completely. */
export async function sentFiles(
  reads: Reads,
  actor: Actor,
  hashes: readonly string[],
): Promise<Map<string, StoredFile>> {
  const files = new Map<string, StoredFile>()
  for (const sha256 of new Set(hashes)) {
    const name = { ...auteurOf(actor), sha256 }
    const media_type = (await reads.of(fieldStore).upload(name))?.media_type
    if (media_type) files.set(sha256, { sha256, media_type, content: await reads.of(fieldStore).uploaded(name) })
  }
  return files
}
