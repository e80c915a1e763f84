import { chmod } from 'node:fs/promises'
import { copyRowsOnly, isIntactBackup, readBackupNote, UnfitRowsError } from '@sav/storage-kysely/backup'
import type { FeatureTables } from '@sav/storage-kysely/feature'
import { CommandError, usageError } from '../process/command-error.js'
import type { Settings } from '../settings/settings.js'
import { checkSeal, type SealCheck } from '../store/seal.js'
import { readSecretKeys } from '../store/secret-key.js'

/**
 * Copies the sealed content of a backup into an empty file.
 * @throws CommandError if the content was altered, or its seal is missing or was made with an unknown key
 */
export async function copySealed(backup: string, to: string, settings: Settings): Promise<void> {
  const refusal = await sealProblem(backup, settings, to)
  if (refusal !== null) throw refusal
}

/** Why a file must not be restored, and what to do; null if it can be restored. */
export async function sealProblem(backup: string, settings: Settings, copy?: string): Promise<CommandError | null> {
  const keys = await readSecretKeys(settings)
  const found = await checkSeal(backup, keys, copy)
  return found.state === 'intact' ? null : inWords(backup, found, { settings, hasKey: keys.length > 0 })
}

function inWords(
  file: string,
  found: SealCheck,
  { settings, hasKey }: { readonly settings: Settings; readonly hasKey: boolean },
): CommandError {
  const rowsAlone = 'To restore only its rows, unchecked, add --unsealed.'
  switch (found.state) {
    case 'unknown_key': {
      const where = settings.secretKey === null ? settings.secretKeyFile : 'SAV_SECRET_KEY'
      return new CommandError(
        'unknown_key',
        `${file} is sealed with the secret key ${found.keyId}, and ${where} ${hasKey ? 'holds another one' : 'is missing'}: name the right one with SAV_SECRET_KEY or SAV_SECRET_KEY_FILE. ${rowsAlone}`,
      )
    }
    case 'missing': {
      const note = readBackupNote(file)
      if (note === null) return noBackup(file)
      return note.sealed_by === undefined
        ? new CommandError(
            'no_seal',
            `${file} has no seal: the secret key was missing when it was made. So nothing shows whether it was changed since. ${rowsAlone}`,
          )
        : new CommandError(
            'no_seal',
            `${file} has lost its seal, which the secret key ${note.sealed_by} made: somebody changed the file, or it is damaged. Take another backup. ${rowsAlone}`,
          )
    }
    default:
      return new CommandError(
        'changed',
        `${file} does not match its seal: somebody changed the file, or it is damaged. Take another backup. ${rowsAlone}`,
      )
  }
}

/**
 * Copies the rows of a backup without a valid seal into an empty file.
 * @throws CommandError if they are not the rows of a store
 */
export async function copyUnsealed(backup: string, to: string, features: readonly FeatureTables[]): Promise<void> {
  if (readBackupNote(backup) === null) throw noBackup(backup)
  if (!isIntactBackup(backup)) throw new CommandError('damaged', `${backup} is damaged: take another backup.`)
  await copyRowsOnly(backup, to, { features }).catch((error: unknown) => {
    if (!(error instanceof UnfitRowsError)) throw error
    throw new CommandError('unfit', `${backup} cannot be restored: ${error.message}`, { cause: error })
  })
  await chmod(to, 0o600)
}

const noBackup = (file: string) =>
  usageError(`${file} is not a backup made by sav, or it is damaged. To copy a store: sav copy.`)
