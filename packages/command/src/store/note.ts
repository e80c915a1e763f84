import { keyIdOf } from '@sav/core/adapter'
import type { BackupNote } from '@sav/storage-kysely/backup'
import { version } from '../version.js'

/**
 * The note that is stored in a backup: which store it is of, when and by which release it was made, and the key's id.
 */
export function noteFor({ of, secretKey }: { readonly of: string; readonly secretKey: Uint8Array | null }): BackupNote {
  const made = { of, at: new Date().toISOString(), release: version }
  return secretKey === null ? made : { ...made, sealed_by: keyIdOf(secretKey) }
}

export const withoutSeal =
  'The file has no seal, since the secret key of the store is missing here: `sav restore` accepts it only with --unsealed.'

/** The time of a backup, in a form that is valid in file names on every system. */
export const stampOf = ({ at }: Pick<BackupNote, 'at'>): string => at.replaceAll(':', '-').replace('.', '-')
