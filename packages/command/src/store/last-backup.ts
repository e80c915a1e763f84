import { UnavailableError } from '@sav/core'
import { CommandError } from '../process/command-error.js'
import type { StoreStorage } from './database.js'

/** The store's own record of its last complete backup. */
export interface LastBackup {
  readonly at: string
  readonly file: string
}

const fact = 'last_backup'

export async function lastBackup({ reads }: Pick<StoreStorage, 'reads'>): Promise<LastBackup | null> {
  const noted = await reads.facts.get(fact)
  return noted === null ? null : JSON.parse(noted)
}

/** Records a backup in its store. If the store is read-only or unavailable, nothing is recorded. */
export async function noteBackup(
  { transaction }: Pick<StoreStorage, 'transaction'>,
  backup: LastBackup,
): Promise<void> {
  await transaction((tx) => tx.facts.set(fact, JSON.stringify(backup))).catch((error: unknown) => {
    const isReadOnly = error instanceof CommandError && error.code === 'read_only'
    if (!isReadOnly && !(error instanceof UnavailableError)) throw error
  })
}
