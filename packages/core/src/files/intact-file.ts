import { sha256Of } from '../node-crypto.js'
import type { StoredFile } from './stored-file.js'

/** A stored file whose bytes do not match its hash: it was changed, or the disk is damaged. */
export class DamagedFileError extends Error {
  constructor(what: string) {
    super(`${what} differs from what was stored, so it is not sent: run sav evidence verify.`)
    this.name = 'DamagedFileError'
  }
}

/** Whether the bytes match the file's name, which is their hash. */
export const isIntact = ({ sha256, content }: Pick<StoredFile, 'sha256' | 'content'>): boolean =>
  sha256Of(content) === sha256

/** Checks a file before it leaves the service. @throws DamagedFileError */
export function intact<File extends StoredFile | null>(file: File): File {
  if (file !== null && !isIntact(file)) throw new DamagedFileError(`File ${file.sha256}`)
  return file
}
